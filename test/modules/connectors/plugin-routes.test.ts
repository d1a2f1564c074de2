import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { ConnectorRecord } from '../../../src/modules/connectors/connector.ts';
import { specifiedPlugin } from '../../drivers/airbyte/specification.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { auditOf, createConnectorsApp, type Problems } from './connectors-app.ts';

const secret = 'pl4nted-s3cret';

t.test('a source tells its configuration, which is checked when a connector is saved', async (t) => {
  const folder = t.testdir({ silent: '#!/bin/sh\n', 'old.sh': 'exit 3\n' });
  const starts = join(folder, 'starts');
  const silent = { name: 'silent', command: ['/bin/true'], folder: null, memoryMb: 100 };
  const changing = { ...silent, name: 'changing', command: ['/bin/sh', join(folder, 'old.sh')] };
  const plugins = [specifiedPlugin(folder), silent, changing];
  const pool = await startWorkerPool(t, { plugins });
  const store = await openTestStore(t, 'sqlite');
  const { as } = await createConnectorsApp(t, store, pool, 10_000, plugins);
  const [admin, editor] = [as('admin'), as('editor')];
  const startsSoFar = () => readFileSync(starts, 'utf8').trim().split('\n').length;
  const spec = (name: string) => editor.get(`/api/connectors/plugins/${name}/spec`);
  const credentials = { option: 'token' };
  const good = {
    plugin: 'shop',
    config: { shop: 'nordwind', credentials },
    secrets: { credentials: { token: secret } },
  };
  const body = (config: object) => ({ name: 'Shop', type: 'airbyte', config });

  await t.test('the programs of the settings, and what one of them takes', async (t) => {
    t.same((await editor.get('/api/connectors/plugins')).body, {
      result: [{ name: 'shop' }, { name: 'silent' }, { name: 'changing' }],
    });
    t.match(await spec('shop'), {
      status: 200,
      body: {
        plugin: 'shop',
        config: { properties: { credentials: { oneOf: [{ properties: { token: { writeOnly: true } } }] } } },
      },
    });
    await Promise.all([spec('shop'), spec('shop')]);
    t.equal(startsSoFar(), 1, 'it is asked once');
    t.match(await spec('absent'), { status: 404, body: { message: /"absent".*SVC_PLUGINS/ } });
    t.match(await spec('silent'), {
      status: 502,
      body: { error: 'CONNECTOR_ERROR', message: /silent.*Only Airbyte sources describe/ },
    });
    t.equal((await as('viewer').get('/api/connectors/plugins/shop/spec')).status, 403);
  });

  await t.test('one that is installed anew is asked again, and so is one that failed', async (t) => {
    t.match(await spec('changing'), { status: 502 });
    const told = (key: string) =>
      `echo '{"type":"SPEC","spec":{"connectionSpecification":{"properties":{"${key}":{}}}}}'\n`;
    for (const key of ['first', 'a second']) {
      writeFileSync(join(folder, 'old.sh'), told(key));
      t.match(await spec('changing'), { status: 200, body: { config: { properties: { [key]: {} } } } });
    }
  });

  await t.test('what the specification refuses is not saved, nor is a secret in clear', async (t) => {
    const refused = async (config: object) => {
      const answer = await admin.post<Problems>('/api/connectors', body(config));
      t.equal(answer.status, 400);
      return answer.body.details.map(({ path }) => path);
    };
    t.same(await refused({ ...good, config: { ...good.config, pages: 51 } }), ['config.config.pages']);
    t.same(await refused({ ...good, secrets: {} }), ['config.secrets.credentials.token']);
    const inClear = { shop: 'nordwind', credentials: { option: 'token', token: secret } };
    t.same(await refused({ plugin: 'shop', config: inClear }), ['config.config.credentials.token']);
    t.same(await store.read.selectFrom('connectors').select('id').execute(), []);
  });

  await t.test(
    'a stored secret counts, is never returned, and is given again with another config',
    async (t) => {
      const { body: saved } = await admin.post<ConnectorRecord>('/api/connectors', body(good));
      const path = `/api/connectors/${saved.id}`;
      t.same(
        saved.config,
        { ...good, secrets: { credentials: { token: '********' } } },
        'each masked by itself',
      );
      const put = (config: object, name = 'Shop') => admin.put<Problems>(path, { ...body(config), name });
      t.match(await put(saved.config, 'Renamed'), { status: 200, body: { name: 'Renamed' } });
      const moved = { ...saved.config, config: { ...good.config, shop: 'other' } };
      t.match(await put(moved), { status: 400, body: { details: [{ path: 'config.secrets' }] } });
      t.match(await put({ ...good, config: { ...good.config, pages: 0 } }), {
        status: 400,
        body: { details: [{ path: 'config.config.pages' }] },
      });
      const one = { ...good, secrets: { credentials: { token: '********' } } };
      t.match(await put(one), { status: 200, body: { config: { secrets: one.secrets } } }, 'one of several');
      t.match(await put({ ...one, config: { ...good.config, shop: 'other' } }), {
        status: 400,
        body: { details: [{ path: 'config.secrets' }] },
      });
      t.match(await put({ ...one, secrets: { ...one.secrets, other: '********' } }), {
        status: 400,
        body: { details: [{ path: 'config.secrets.other', message: /no value is stored/ }] },
      });
      t.notMatch(JSON.stringify([await admin.get(path), await auditOf(store)]), secret);
      t.equal(startsSoFar(), 1, 'saving asks no more often');
    },
  );

  await t.test(
    'a program that only executors have, or that tells nothing, keeps nobody from saving',
    async (t) => {
      for (const plugin of ['elsewhere', 'silent'])
        t.match(
          await admin.post('/api/connectors', { ...body({ plugin, config: { x: 1 } }), name: plugin }),
          {
            status: 201,
          },
        );
    },
  );
});
