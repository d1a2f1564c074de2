import t, { type Test } from 'tap';
import type { AccountsPage } from '../../../src/drivers/integration.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { unifiedApiDriver } from '../../../src/drivers/unified-api/driver.ts';
import { connectPlatform, rowsOf, signal } from './connect-platform.ts';
import { startTruto, TRUTO_ACCOUNTS, TRUTO_TOKEN, type TrutoPeer } from './truto-peer.ts';

const ACCOUNT = TRUTO_ACCOUNTS[0]?.id ?? '';
const connect = (t: Test, { base }: TrutoPeer, config: object = {}) =>
  connectPlatform(t, { provider: 'truto', base_url: base, token: TRUTO_TOKEN, ...config });
const UNIFIED = { integrated_account_id: ACCOUNT, resource: 'crm/contacts' };

t.test('accounts come page by page, by id, by tenant, by a part of either, and by integration', async (t) => {
  const connection = await connect(t, await startTruto(t));
  const all = async (request: object, limit = 60) => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: object = cursor === '' ? {} : { cursor };
      const page: AccountsPage = await connection.accounts({ limit, ...request, ...from }, signal);
      t.ok(page.accounts.length <= limit);
      ids.push(...page.accounts.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  };
  t.strictSame(
    await all({}),
    TRUTO_ACCOUNTS.map(({ id }) => id),
  );
  t.strictSame(await all({ q: ACCOUNT }), [ACCOUNT]);
  t.strictSame(await all({ q: ACCOUNT, integration: 'zendesk' }), []);
  t.strictSame(await all({ q: '1ba1f401-7183-47c5-9e39-999999999999' }), []);
  const acme = [0, 100, 200, 249].map((index) => TRUTO_ACCOUNTS[index]?.id);
  t.strictSame(
    await all({ q: 'acme' }),
    acme,
    'the tenant itself first, then those with the text in their name',
  );
  t.strictSame(
    await all({ q: 'tenant-1', integration: 'zendesk' }, 7),
    TRUTO_ACCOUNTS.filter(
      ({ tenant_id, environment_integration: { integration } }) =>
        tenant_id.includes('tenant-1') && integration.name === 'zendesk',
    ).map(({ id }) => id),
  );
  const page = await connection.accounts({ limit: 4 }, signal);
  t.strictSame(page.accounts[3], {
    id: TRUTO_ACCOUNTS[3]?.id,
    label: 'CRM',
    tenant_id: 'tenant-3',
    integration_name: 'zendesk',
    status: 'needs_reauth',
  });
  await t.rejects(connection.accounts({ limit: 4, cursor: 'x' }, signal), {
    name: 'Error',
    message: /does not belong to this list/,
  });
  t.equal((await rowsOf(connection, { q: 'acme' }, 'accounts')).length, 4);
});

t.test('resources of an account by surface, and columns from the platform or from records', async (t) => {
  const peer = await startTruto(t);
  const connection = await connect(t, peer, { fallback_resources: ['crm/contacts', 'deals'] });
  const both = [
    { name: 'crm/contacts', type: 'unified' },
    { name: 'contacts', type: 'proxy' },
  ];
  t.strictSame(await connection.catalogue({ accountId: ACCOUNT }, signal), {
    resources: both,
    fallback: false,
  });
  t.strictSame(await connection.catalogue({ accountId: ACCOUNT, surface: 'proxy' }, signal), {
    resources: both.slice(1),
    fallback: false,
  });
  const options = { accountId: ACCOUNT };
  t.match(await connection.describe('crm/contacts', signal, options), [
    { name: 'id', type: 'string', key: true },
    { name: 'first_name' },
    { name: 'updated_at', type: 'timestamp' },
  ]);
  t.match(await connection.describe('contacts', signal, options), [
    { name: 'id' },
    { name: 'first_name' },
    {},
  ]);
  peer.failures.push(503, 503);
  t.strictSame(await connection.catalogue({ accountId: ACCOUNT, surface: 'unified' }, signal), {
    resources: [{ name: 'crm/contacts', type: 'unified' }],
    fallback: true,
    schema_error: 'The API answered 503: {"error":"busy"}',
  });
  const stranger = await connect(t, peer, { token: 'other' });
  await t.rejects(stranger.catalogue({ accountId: ACCOUNT }, signal), {
    name: 'ConnectorError',
    fault: 'AUTH',
  });
  await t.rejects(connection.describe('contacts', signal), { message: /Give "integrated_account_id"/ });
});

t.test(
  'records are listed, read, made, changed and removed, unified and as the integration has them',
  async (t) => {
    const peer = await startTruto(t);
    const connection = await connect(t, peer, { page_size: 2 });
    t.equal((await rowsOf(connection, UNIFIED)).length, 5);
    t.equal((await rowsOf(connection, { ...UNIFIED, resource: 'contacts' })).length, 5, 'under "results"');
    const since = {
      ...UNIFIED,
      filter: { updated_at: { gte: '2026-01-04T00:00:00.000Z' } },
      incremental: { field: 'updated_at', param: 'updated_at[gte]' },
    };
    t.equal((await rowsOf(connection, since)).length, 2);
    t.match(decodeURIComponent(peer.receiver.received.at(-1)?.path ?? ''), /updated_at\[gte\]=2026-01-04/);
    const call = (method: string, args: object) => connection.call(method, { ...UNIFIED, ...args }, signal);
    t.match(await call('get', { id: 'c2' }), { first_name: 'Contact 2' });
    t.match(await call('create', { body: { first_name: 'New' } }), { id: 'c6', first_name: 'New' });
    t.match(await call('update', { id: 'c6', body: { first_name: 'Newer' } }), { first_name: 'Newer' });
    await call('delete', { id: 'c6' });
    await t.rejects(call('get', { id: 'c6' }), {
      name: 'ConnectorError',
      message: /404.*truto_is_remote_error/,
    });
    const { integrated_account_id } = UNIFIED;
    t.match(await connection.call('proxy_get', { integrated_account_id, path: 'contacts/c1' }, signal), {
      id: 'c1',
    });
    const posted = {
      integrated_account_id,
      path: '/contacts',
      body: { first_name: 'P' },
      idempotency_key: 'k1',
    };
    t.match(await connection.call('proxy', posted, signal), { first_name: 'P' });
    t.match(peer.receiver.received.at(-1), { method: 'POST', headers: { 'idempotency-key': 'k1' } });
    peer.failures.push(500);
    await t.rejects(
      call('create', { body: {} }),
      { name: 'ConnectorError', fault: 'UNAVAILABLE' },
      'not sent twice',
    );
    t.equal(peer.failures.length, 0);
    t.match(await connection.test(signal), /^Truto answers; accounts are connected/);
  },
);

t.test('the account of a scope is the one that is asked, whatever a call says', async (t) => {
  const peer = await startTruto(t);
  const connection = await connect(t, peer);
  const scope = { integrated_account_id: ACCOUNT };
  const args = {
    resource: 'crm/contacts',
    integrated_account_id: 'other',
    query: { integrated_account_id: 'other' },
  };
  t.equal((await rowsOf(connection, scopeArgs(unifiedApiDriver, 'list', args, scope) as object)).length, 5);
  const got = scopeArgs(
    unifiedApiDriver,
    'proxy_get',
    { path: 'contacts/c1?integrated_account_id=other' },
    scope,
  );
  t.match(await connection.call('proxy_get', got, signal), { id: 'c1' });
  t.throws(() => scopeArgs(unifiedApiDriver, 'accounts', {}, scope), { message: /scope cannot be applied/ });
  await t.rejects(rowsOf(connection, { ...UNIFIED, resource: '../integrated-account' }), {
    fault: 'CONFIG',
    message: /\.\./,
  });
});

t.test('the OAuth app of an integration is shown and set, and its secret never comes back', async (t) => {
  const peer = await startTruto(t);
  peer.override = { label: 'Ours', credentials: { oauth2: { config: { options: { scope: 'read' } } } } };
  const { oauthApp } = await connect(t, peer, { integration: 'hubspot' });
  t.strictSame(await oauthApp.get(signal), {
    needs_byoa: true,
    configured: false,
    oauth_app_mode: null,
    format: 'oauth2',
    installed_integration_id: 'installed-1',
  });
  const put = { client_id: 'mine', client_secret: 's3cret' };
  const after = await oauthApp.put(put, signal);
  t.match(after, { configured: true, oauth_app_mode: 'byoa', client_id: 'mine' });
  t.notMatch(JSON.stringify(after), 's3cret');
  t.strictSame(peer.override, {
    label: 'Ours',
    credentials: {
      oauth2: {
        config: { options: { scope: 'read' }, client: { id: 'mine', secret: 's3cret' } },
        format: 'oauth2',
      },
    },
  });
  await t.rejects(oauthApp.put({ client_id: 'x', client_secret: 'wrong-s3cret' }, signal), {
    name: 'ConnectorError',
    message: /^(?!.*wrong-s3cret).*\*{8}/,
  });
  await t.rejects(oauthApp.put({ ...put, format: 'saml' }, signal), {
    message: /no OAuth app of the format "saml"/,
  });
  const long = `${'x'.repeat(150)}wrong-${'s3cret'.repeat(40)}`;
  await t.rejects(oauthApp.put({ client_id: 'x', client_secret: long }, signal), {
    name: 'ConnectorError',
    message: /^(?!.*x{5}).*\*{8}$/,
  });
  const { oauthApp: none } = await connect(t, peer);
  await t.rejects(none.get(signal), { name: 'ConnectorError', message: /Set "integration"/ });
  const { oauthApp: absent } = await connect(t, peer, { integration: 'absent' });
  await t.rejects(absent.get(signal), {
    name: 'ConnectorError',
    message: /"absent" is not installed/,
  });
});
