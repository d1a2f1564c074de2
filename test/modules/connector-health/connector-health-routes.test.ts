import t from 'tap';
import { BUCKET_MS } from '../../../src/modules/connector-health/connector-health.ts';
import { recordUses } from '../../../src/modules/connector-health/connector-health-record.ts';
import { selectNow } from '../../../src/store/select-now.ts';
import { startFullApp } from '../../support/full-app.ts';
import { drawnKinds } from '../../support/stores.ts';

interface Health {
  readonly buckets: { readonly at: string; readonly calls: number; readonly errors: number }[];
  readonly bucket_ms: number;
}

for (const kind of drawnKinds(t)) {
  t.test(
    `health is answered by range, listed by status, and deleted with its connector (${kind})`,
    async (t) => {
      const full = await startFullApp(t, kind);
      const { visitor } = await full.superadmin();
      const { store } = full.plane;
      const newConnector = async (name: string) => {
        const { body } = await visitor.post<{ id: number }>('/api/connectors', {
          name,
          type: 'dummy',
          config: {},
        });
        return body.id;
      };
      const [shop, lake] = [await newConnector('shop'), await newConnector('lake')];
      t.match(await visitor.get(`/api/connectors/${shop}/health`), {
        status: 200,
        body: { status: 'unknown', since: null, last_success_at: null, last_error: null, last_test: null },
      });
      const now = await selectNow(store.read, store.dialect);
      const last_error = { at: now, code: 'AUTH', message: 'The password is wrong' };
      const figures = { connector_id: shop, calls: 3, errors: 1, ms: 12, last_success_at: now - 10 };
      const use = { ...figures, unreachable_since: now, last_error };
      await store.write((tx) =>
        recordUses(tx, store.dialect, [{ use, source: 'run', run_id: 4, job_id: 2 }], now),
      );
      for (const [range, points] of Object.entries({ '1h': 12, '24h': 48, '7d': 56, '30d': 60 })) {
        const { body, status } = await visitor.get<Health>(`/api/connectors/${shop}/health?range=${range}`);
        t.equal(status, 200);
        t.match(body, {
          connector_id: shop,
          status: 'failing',
          since: new Date(now).toISOString(),
          last_success_at: new Date(now - 10).toISOString(),
          last_error: { code: 'AUTH', message: 'The password is wrong', source: 'run', run_id: 4, job_id: 2 },
          totals: { calls: 3, errors: 1, ms: 12 },
          sources: { run: { calls: 3 }, test: { calls: 0 } },
        });
        t.equal(body.buckets.length, points, range);
        t.equal(
          body.buckets.reduce((sum, { calls }) => sum + calls, 0),
          3,
          range,
        );
        t.equal(body.bucket_ms % BUCKET_MS, 0);
      }
      t.match(await visitor.get(`/api/connectors/${shop}/health?range=2h`), { status: 400 });
      t.match(await visitor.get('/api/connectors/999/health'), { status: 404 });
      const { body: all } = await visitor.get<{ result: object[] }>('/api/connectors/health?sort=name');
      t.match(all.result, [
        { connector_id: lake, status: 'unknown', since: null, last_error_at: null, calls_24h: 0 },
        { connector_id: shop, status: 'failing', calls_24h: 3, errors_24h: 1 },
      ]);
      const failing = await visitor.get<{ result: object[] }>('/api/connectors/health?status=failing');
      t.equal(failing.body.result.length, 1);
      const named = async (query: string) =>
        (await visitor.get<{ result: { name: string }[] }>(`/api/connectors/health?${query}`)).body.result
          .length;
      t.same(
        await Promise.all(
          ['status=failing&q=sho', 'status=failing&q=lak', 'q=lak', 'type=nothing'].map(named),
        ),
        [1, 0, 1, 0],
        'the filters of the list of connectors hold here too',
      );
      t.match(await visitor.delete(`/api/connectors/${shop}`), { status: 204 });
      t.same(await store.read.selectFrom('connector_calls').selectAll().execute(), []);
      t.same(await store.read.selectFrom('connector_health').selectAll().execute(), []);
      t.same(full.openapi.breaches, []);
    },
  );
}

t.test('a test of the connection counts, and says that it works again', async (t) => {
  const full = await startFullApp(t, 'sqlite');
  const { visitor } = await full.superadmin();
  const made = await visitor.post<{ id: number; version: number }>('/api/connectors', {
    name: 'shop',
    type: 'dummy',
    config: { fault: 'UNAVAILABLE', message: 'The other side is down' },
  });
  const path = `/api/connectors/${made.body.id}`;
  const { text } = await visitor.post(`${path}/test`);
  t.notMatch(text, /UNAVAILABLE/, 'the code is not of the answer');
  t.match(await visitor.get(`${path}/health`), {
    body: {
      status: 'failing',
      last_error: { code: 'UNAVAILABLE', message: 'The other side is down', source: 'test', run_id: null },
      last_test: { ok: false, message: 'The other side is down' },
      sources: { test: { calls: 1, errors: 1 }, run: { calls: 0 } },
    },
  });
  await visitor.put(path, { name: 'shop', type: 'dummy', config: {} });
  await visitor.post(`${path}/test`);
  const { body } = await visitor.get<{ status: string }>(`${path}/health`);
  t.match(body, { last_test: { ok: true }, totals: { calls: 2, errors: 1 } });
  t.not(body.status, 'failing');
});
