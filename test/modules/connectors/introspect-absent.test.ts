import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { ConnectorRecord } from '../../../src/modules/connectors/connector.ts';
import { odataConfig } from '../../drivers/business-app/connect-odata.ts';
import { startOdata } from '../../drivers/business-app/odata-peer.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createConnectorsApp } from './connectors-app.ts';

// Databases on servers, and plug-ins: the conformance suite asks every driver the same.
t.test(
  'introspecting and exploring what is not there is a 404 that names it, whatever the type',
  async (t) => {
    const folder = t.testdir({ 'people.csv': 'id\n1\n' });
    new DatabaseSync(join(folder, 'crm.db')).exec('create table contacts (id integer)');
    const odata = await startOdata(t);
    const outbound = { policy: 'allowlist' as const, allow: ['127.0.0.1'], ownPorts: [] };
    const data = { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 2_000, plugins: [], outbound };
    const pool = await startWorkerPool(t, { data });
    const { as } = await createConnectorsApp(t, await openTestStore(t, 'sqlite'), pool);
    const url = 'http://127.0.0.1:1';
    const cases: readonly (readonly [type: string, config: object, resource: string, message: RegExp])[] = [
      ['sqlite', { path: 'crm.db' }, 'contcts', /^There is no table "contcts"$/],
      ['dummy', { rows: [{ id: 1 }] }, 'rws', /^There is no resource "rws"/],
      ['csv', { path: '.' }, 'peple.csv', /^The file "peple.csv" does not exist/],
      ['json', { path: '.' }, 'a.json', /^The file "a.json" does not exist/],
      ['parquet', { path: '.' }, 'a.parquet', /^The file "a.parquet" does not exist/],
      ['excel', { path: '.' }, 'a.xlsx', /^The file "a.xlsx" does not exist/],
      ['xml', { path: '.', records: 'person' }, 'a.xml', /^The file "a.xml" does not exist/],
      [
        'http',
        { base_url: url, resources: { people: { path: '/p' } } },
        'peple',
        /^The connector has no resource "peple"; did you mean "people"\?$/,
      ],
      [
        'business_app',
        odataConfig(odata.base),
        'cutsomers',
        /^The service has no entity "cutsomers" among its 3; is it one of customers\?$/,
      ],
    ];
    for (const [type, config, resource, message] of cases) {
      const saved = await as('admin').post<ConnectorRecord>('/api/connectors', { name: type, type, config });
      for (const call of ['introspect', 'explore']) {
        const answer = await as('editor').post(`/api/connectors/${saved.body.id}/${call}`, { resource });
        t.match(answer, { status: 404, body: { error: 'NOT_FOUND', message } }, `${type}: ${call}`);
      }
    }
  },
);
