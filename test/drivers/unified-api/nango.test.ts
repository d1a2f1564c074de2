import t from 'tap';
import { type Received, startReceiver } from '../../support/http-receiver.ts';
import { connectPlatform, rowsOf, signal } from './connect-platform.ts';

const CONNECTIONS = Array.from({ length: 5 }, (_, index) => ({
  id: index,
  connection_id: `user-${index}`,
  provider: 'github',
  provider_config_key: index < 4 ? 'github' : 'slack',
  errors: index === 1 ? [{ type: 'auth', log_id: 'x' }] : [],
  end_user:
    index === 2
      ? null
      : { id: `u${index}`, email: `u${index}@example.com`, organization: { id: `org-${index}` } },
}));
const ISSUES = [1, 2, 3].map((id) => ({
  id,
  title: `Issue ${id}`,
  _nango_metadata: { last_action: 'ADDED' },
}));
const SCRIPTS = [
  {
    providerConfigKey: 'github',
    syncs: [
      {
        name: 'issues',
        returns: ['Issue'],
        models: [
          {
            name: 'Issue',
            fields: [
              { name: 'id', value: 'number' },
              { name: 'title', value: 'string', optional: true },
              { name: 'labels', value: 'string', array: true },
            ],
          },
        ],
      },
    ],
  },
];

let credentials: Record<string, unknown> = { type: 'OAUTH2', client_id: '', scopes: 'repo' };

/** What the driver uses of Nango, as nango.dev/docs/reference describes it. */
function answerOf({ path, headers, method, body }: Received): readonly [status: number, body: unknown] {
  const { pathname, searchParams } = new URL(path, 'http://nango');
  if (headers.authorization !== 'Bearer key') return [401, { error: { code: 'unknown_key' } }];
  if (pathname === '/connections') {
    const [limit, page] = [Number(searchParams.get('limit')), Number(searchParams.get('page'))];
    const found = CONNECTIONS.filter(
      ({ connection_id, provider_config_key }) =>
        connection_id.includes(searchParams.get('search') ?? '') &&
        (searchParams.get('integrationId') ?? provider_config_key) === provider_config_key,
    );
    return [200, { connections: found.slice(page * limit, (page + 1) * limit) }];
  }
  if (pathname === '/scripts/config') return [200, SCRIPTS];
  if (pathname === '/integrations/github') {
    if (method === 'PATCH') credentials = JSON.parse(body).credentials;
    return [200, { data: { unique_key: 'github', provider: 'github', credentials } }];
  }
  if (headers['connection-id'] !== 'user-0' || headers['provider-config-key'] !== 'github')
    return [404, { error: 'no' }];
  if (pathname === '/records') {
    const wanted = ISSUES.filter(({ id }) => (searchParams.get('ids') ?? String(id)) === String(id));
    const from = Number(searchParams.get('cursor') ?? 0);
    const next = from + 2 < wanted.length ? String(from + 2) : null;
    return [200, { records: wanted.slice(from, from + 2), next_cursor: next }];
  }
  if (pathname === '/proxy/repos/a/issues' && method === 'GET') return [200, { items: [{ id: 7 }] }];
  return pathname.startsWith('/proxy/') ? [200, { did: `${method} ${pathname.slice(6)}` }] : [404, {}];
}

t.test('Nango: connections, synced records, the integration’s own API and the OAuth app', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (response, request) => {
    const [status, body] = answerOf(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const base_url = `http://127.0.0.1:${receiver.port}`;
  const config = { provider: 'nango', base_url, token: 'key', integration: 'github', page_size: 2 };
  const connection = await connectPlatform(t, config);
  const account = { integrated_account_id: 'github/user-0' };

  await t.test('accounts', async (t) => {
    const first = await connection.accounts({ limit: 3 }, signal);
    t.match(first.accounts, [
      {
        id: 'github/user-0',
        label: 'u0@example.com',
        tenant_id: 'org-0',
        integration_name: 'github',
        status: 'active',
      },
      { status: 'error' },
      { label: null, tenant_id: '' },
    ]);
    const second = await connection.accounts({ limit: 3, cursor: first.next_cursor ?? '' }, signal);
    t.strictSame([second.accounts.length, second.next_cursor], [2, null]);
    const found = await connection.accounts({ limit: 3, q: 'user-4', integration: 'slack' }, signal);
    t.match(found.accounts, [{ id: 'slack/user-4' }]);
    t.equal((await rowsOf(connection, {}, 'accounts')).length, 5);
  });

  await t.test('records and their columns', async (t) => {
    const accountId = account.integrated_account_id;
    t.match(await connection.catalogue({ accountId }, signal), {
      resources: [{ name: 'records/Issue', type: 'unified' }],
      fallback: false,
    });
    t.match(await connection.describe('records/Issue', signal, { accountId }), [
      { name: 'id', type: 'number', key: true, nullable: false },
      { name: 'title', nullable: true },
      { name: 'labels', type: 'json' },
    ]);
    t.equal((await rowsOf(connection, { ...account, resource: 'records/Issue' })).length, 3);
    t.match(await connection.call('get', { ...account, resource: 'records/Issue', id: '2' }, signal), {
      title: 'Issue 2',
    });
    t.equal(await connection.call('get', { ...account, resource: 'records/Issue', id: '9' }, signal), null);
    const change = { ...account, resource: 'records/Issue', body: {} };
    await t.rejects(connection.call('create', change, signal), { message: /only a sync changes/ });
  });

  await t.test('paths of the integration', async (t) => {
    const list = { ...account, resource: 'repos/a/issues', records: 'items' };
    t.strictSame(await rowsOf(connection, list), [{ id: 7 }]);
    const call = (method: string, args: object) => connection.call(method, { ...account, ...args }, signal);
    const one = { resource: 'repos/a/issues', id: '7' };
    t.strictSame(await call('create', { resource: one.resource, body: { a: 1 } }), {
      did: 'POST /repos/a/issues',
    });
    t.strictSame(await call('update', { ...one, body: {} }), { did: 'PATCH /repos/a/issues/7' });
    t.strictSame(await call('delete', one), { did: 'DELETE /repos/a/issues/7' });
    t.strictSame(await call('proxy_get', { path: '/user?x=1' }), { did: 'GET /user' });
    t.strictSame(await call('proxy', { method: 'PUT', path: 'user' }), { did: 'PUT /user' });
    await t.rejects(connection.call('get', { integrated_account_id: 'user-9', ...one }, signal), {
      message: /404/,
    });
  });

  await t.test('the OAuth app', async (t) => {
    t.match(await connection.oauthApp.get(signal), { needs_byoa: true, configured: false, format: 'OAUTH2' });
    const state = await connection.oauthApp.put({ client_id: 'mine', client_secret: 's3cret' }, signal);
    t.strictSame(state, {
      needs_byoa: false,
      configured: true,
      oauth_app_mode: 'byoa',
      client_id: 'mine',
      format: 'OAUTH2',
      installed_integration_id: 'github',
    });
    t.match(credentials, { client_secret: 's3cret', scopes: 'repo' });
    await t.rejects(
      connection.oauthApp.put({ client_id: 'a', client_secret: 'b', format: 'BASIC' }, signal),
      {
        message: /no OAuth app of the format "BASIC"/,
      },
    );
  });
});
