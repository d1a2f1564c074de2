import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { ConnectorRecord } from '../../../src/modules/connectors/connector.ts';
import { eachStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { auditOf, createConnectorsApp } from './connectors-app.ts';

const SECRET = 'pl4nted-oauth-s3cret';
const ACCOUNTS = Array.from({ length: 120 }, (_, n) => ({
  id: `acc-${n}`,
  label: n === 0 ? null : `Account ${n}`,
  tenant_id: `tenant-${n % 10}`,
  integration_name: n % 2 === 0 ? 'crm' : 'erp',
  status: 'active',
}));

interface Page {
  accounts: { id: string; tenant_id: string; integration_name: string }[];
  next_cursor: string | null;
}

await eachStore(t, 'accounts, catalogues and OAuth apps of integrations', async (t, store) => {
  const folder = t.testdir();
  const pool = await startWorkerPool(t, { fileRoots: [folder] });
  const { as } = await createConnectorsApp(t, store, pool);
  const save = async (name: string, config: object) =>
    `/api/connectors/${(await as('admin').post<ConnectorRecord>('/api/connectors', { name, type: 'dummy', config })).body.id}`;
  const editor = as('editor');

  await t.test('accounts come page by page, searched and filtered; resources are those of one', async (t) => {
    const platform = await save('platform', { accounts: ACCOUNTS, rows: [{ id: 1 }] });
    const list = async (body: object = {}) => (await editor.post<Page>(`${platform}/introspect`, body)).body;
    const first = await list();
    t.equal(first.accounts.length, 50, 'the default of the contract');
    t.match(first.accounts[0], ACCOUNTS[0]);
    const seen = new Set<string>();
    for (let page: Page | null = await list({ limit: 45 }); page !== null; ) {
      for (const { id } of page.accounts) seen.add(id);
      page = page.next_cursor === null ? null : await list({ limit: 45, cursor: page.next_cursor });
    }
    t.equal(seen.size, 120);
    t.same((await list({ q: 'acc-11' })).accounts.map(({ id }) => id).length, 11, 'the beginning of an id');
    t.equal((await list({ q: 'ant-3', integration: 'erp' })).accounts.length, 12, 'a part of a tenant id');
    t.same(await list({ integration: 'none' }), { accounts: [], next_cursor: null });
    t.match(await editor.post(`${platform}/introspect`, { cursor: 'x' }), {
      status: 500,
      body: { error: 'CONNECTOR_ERROR' },
    });
    t.same(await list({ integrated_account_id: 'acc-1', surface: 'unified' }), {
      resources: [{ name: 'rows', type: 'table' }],
      next_cursor: null,
      fallback: false,
    });
    t.match(await list({ resource: 'rows' }), { columns: [{ name: 'id' }] });
  });

  await t.test('a list that stands in for the live one says so, and why', async (t) => {
    const resources = [{ name: 'customers', type: 'entity' }];
    const schema_error = 'The metadata did not come';
    const app = await save('business', { catalogue: { resources, schema_error } });
    const answer = await editor.post(`${app}/introspect`, { refresh: true });
    t.same(answer.body, { resources, next_cursor: null, fallback: true, schema_error });
    const live = await save('live', { catalogue: { resources } });
    t.same((await editor.post(`${live}/introspect`, {})).body, {
      resources,
      next_cursor: null,
      fallback: false,
    });
    const failing = await save('failing', {
      catalogue: { resources },
      fault: 'UNAVAILABLE',
      message: 'It is down',
    });
    t.match(await editor.post(`${failing}/introspect`, {}), { status: 500, body: { message: 'It is down' } });
  });

  await t.test('an OAuth app is told and set; its secret is nowhere but at the integration', async (t) => {
    const scripted = { needs_byoa: true, installed_integration_id: 'int-7' };
    const path = await save('oauth', { oauth_app: scripted, record_to: 'record.ndjson' });
    t.same((await as('viewer').get(`${path}/oauth-app`)).body, {
      ...scripted,
      configured: false,
      oauth_app_mode: null,
      format: null,
    });
    const body = { client_id: 'client-1', client_secret: SECRET, format: 'basic' };
    t.match(await editor.put(`${path}/oauth-app`, body), { status: 403 });
    t.match(await as('admin').put(`${path}/oauth-app`, { client_id: 'x' }), { status: 400 });
    t.match(await as('admin').put(`${path}/oauth-app`, { ...body, other: 1 }), { status: 400 });
    const answer = await as('admin').put(`${path}/oauth-app`, body);
    t.equal(answer.status, 200);
    t.same(answer.body, {
      ...scripted,
      configured: true,
      oauth_app_mode: 'byoa',
      client_id: 'client-1',
      format: 'basic',
    });
    const record = readFileSync(join(folder, 'record.ndjson'), 'utf8');
    t.match(
      JSON.parse(record),
      { object: 'oauth_app', row: { client_id: 'client-1' } },
      'the driver was told',
    );
    const audits = (await auditOf(store)).filter(({ action }) => action === 'connector.oauth_app');
    t.match(audits, [{ resource_type: 'connector', diff_json: /client-1/ }]);
    t.notMatch(answer.text + record + JSON.stringify(await auditOf(store)), SECRET);
    const down = await save('down', {
      oauth_app: {},
      fault: 'AUTH',
      message: `The key is refused: ${SECRET}`,
    });
    const refused = await as('admin').put(`${down}/oauth-app`, body);
    t.match(refused, {
      status: 502,
      body: { error: 'CONNECTOR_ERROR', message: 'The key is refused: ********' },
    });
    t.notMatch(refused.text, SECRET);
    t.equal((await auditOf(store)).filter(({ action }) => action === 'connector.oauth_app').length, 1);
  });
});
