import t from 'tap';
import type { ConnectorRecord } from '../../../src/modules/connectors/connector.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { auditOf, createConnectorsApp, type Problems, warehouse } from './connectors-app.ts';

const { password } = warehouse.config;

t.test('secrets', async (t) => {
  await eachStore(t, 'are stored encrypted and shown nowhere', async (t, store) => {
    const { as, connectors } = await createConnectorsApp(t, store);
    const admin = as('admin');
    const { body, text } = await admin.post<ConnectorRecord>('/api/connectors', warehouse);
    const path = `/api/connectors/${body.id}`;
    const rotated = { ...warehouse, config: { ...warehouse.config, password: `${password}-2` } };
    const texts = [text, (await admin.put(path, rotated)).text, (await admin.get(path)).text];
    texts.push(
      (await admin.get('/api/connectors')).text,
      (await admin.post('/api/connectors', warehouse)).text,
    );
    texts.push(JSON.stringify(await store.read.selectFrom('connectors').selectAll().execute()));
    const audit = await auditOf(store);
    texts.push(JSON.stringify(audit));
    for (const shown of texts) t.notMatch(shown, password);
    t.same(
      audit.map((entry) => entry.action),
      ['connector.create', 'connector.update'],
    );
    t.match(JSON.parse(audit[1]?.diff_json ?? ''), { replaced: ['password'], version: [1, 2] });

    const specs = await connectors.connectorSpecs({ db: body.id });
    t.same(specs, {
      db: { id: body.id, name: 'warehouse', type: 'postgres', config: rotated.config },
    });
    const refs = await connectors.connectorRefs(store.read, { db: body.id, gone: 4_711 });
    const secrets = [rotated.config.password];
    t.same(refs, { db: { id: body.id, version: 2, type: 'postgres', config: rotated.config, secrets } });
    await t.rejects(connectors.connectorSpecs({ db: body.id, crm: 4_711 }), {
      code: 'CONNECTOR_ERROR',
      message: /"crm" \(id 4711\)/,
    });
  });

  await eachStore(t, 'are kept by their mask, and dropped with their key', async (t, store) => {
    const { as, connectors } = await createConnectorsApp(t, store);
    const admin = as('admin');
    const { body } = await admin.post<ConnectorRecord>('/api/connectors', warehouse);
    const path = `/api/connectors/${body.id}`;
    const stored = async () => (await connectors.connectorSpecs({ c: body.id }))['c']?.config;
    await admin.put(path, { ...warehouse, name: 'renamed', config: { ...body.config, schema: 'x' } });
    t.match(await stored(), { password, schema: 'x' });
    const { password: _, ...open } = warehouse.config;
    const without = await admin.put<ConnectorRecord>(path, { ...warehouse, config: open });
    t.equal(without.status, 200);
    t.notOk('password' in without.body.config);
    t.same(await stored(), open);
    const mask = await admin.put<Problems>(path, { ...warehouse, config: body.config });
    t.match(mask, {
      status: 400,
      body: { details: [{ path: 'config.password', message: /no value is stored/ }] },
    });
    const fresh = await admin.post<Problems>('/api/connectors', {
      ...warehouse,
      name: 'fresh',
      config: body.config,
    });
    t.match(fresh, { status: 400, body: { details: [{ path: 'config.password' }] } });
  });

  await eachStore(t, 'do not travel to another host', async (t, store) => {
    const { as, connectors } = await createConnectorsApp(t, store);
    const admin = as('admin');
    const { body } = await admin.post<ConnectorRecord>('/api/connectors', warehouse);
    const path = `/api/connectors/${body.id}`;
    for (const change of [{ host: 'evil.example.com' }, { port: 6_432 }, { database: 'other' }]) {
      const moved = await admin.put<Problems>(path, { ...warehouse, config: { ...body.config, ...change } });
      const key = Object.keys(change)[0];
      t.match(moved.body, {
        error: 'VALIDATION_ERROR',
        details: [
          { path: 'config.password', message: `"password" must be given again, because "${key}" changed` },
        ],
      });
    }
    t.match(await connectors.connectorSpecs({ c: body.id }), { c: { config: warehouse.config } });
    const spelled = { ...body.config, port: 5_432, schema: 'x' };
    t.equal(
      (await admin.put(path, { ...warehouse, config: spelled })).status,
      200,
      'the default is no change',
    );
    const config = { ...warehouse.config, host: 'new.example.com', password: 'given again' };
    t.equal((await admin.put(path, { ...warehouse, config })).status, 200);
  });

  t.test('do not decrypt in the place of another connector or key', async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const { as, connectors } = await createConnectorsApp(t, store);
    const one = await as('admin').post<ConnectorRecord>('/api/connectors', warehouse);
    const two = await as('admin').post<ConnectorRecord>('/api/connectors', { ...warehouse, name: 'two' });
    await store.write(async (tx) => {
      const row = await tx
        .selectFrom('connectors')
        .selectAll()
        .where('id', '=', one.body.id)
        .executeTakeFirstOrThrow();
      const { secrets_json } = row;
      await tx.updateTable('connectors').set({ secrets_json }).where('id', '=', two.body.id).execute();
    });
    await t.rejects(connectors.connectorSpecs({ c: two.body.id }), { code: 'INTERNAL_ERROR' });
  });
});
