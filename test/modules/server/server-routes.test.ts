import t from 'tap';
import { upsertExecutor } from '../../../src/modules/executors/executor-store.ts';
import { registerServerRoutes } from '../../../src/modules/server/server-routes.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { TEST_NOW } from '../../support/clock.ts';
import { eachStore } from '../../support/stores.ts';

/** As the composition root gives it: with more than is told. */
const info = () => ({
  version: '0.1.0',
  store: 'sqlite',
  workers: { threads: 2, queued: 0, running: 1, restarts: 0, hostPid: 4711, isolated: 0 },
  limits: { body_bytes: 1, queue_max: 2, task_timeout_ms: 3, requests_per_minute: 4 },
  grpc: { address: '127.0.0.1:1' },
});

async function appOf(t: Parameters<Parameters<typeof eachStore>[2]>[0], store: Store) {
  return createTestApp(t, (app, { clock }) => registerServerRoutes(app, { store, clock, info }));
}

await eachStore(t, 'server info is for admins, and holds what is declared alone', async (t, store) => {
  const { as, anonymous, withKey } = await appOf(t, store);
  const { status, body } = await as('admin').get('/api/server/info');
  t.equal(status, 200);
  t.same(body, { ...info(), workers: { threads: 2, queued: 0, running: 1, restarts: 0 } });
  t.equal((await as('editor').get('/api/server/info')).status, 403);
  t.equal((await withKey('admin', 'tasks:read').get('/api/server/info')).status, 403);
  t.match(await anonymous.get('/api/server/info'), { status: 401, body: { error: 'AUTH_ERROR' } });
});

await eachStore(t, 'executors are listed, the last seen first, and silent ones as lost', async (t, store) => {
  const { as, clock } = await appOf(t, store);
  const register = (name: string, seen: number) =>
    store.write((tx) =>
      upsertExecutor(
        tx,
        {
          name,
          instance_id: `i-${name}`,
          version: '0.1.0',
          protocol_version: 1,
          features: [],
          labels: { zone: 'a' },
          connector_types: ['sqlite', 'csv'],
          slots: 4,
        },
        'pl4nted-hash',
        seen,
      ),
    );
  await register('early', TEST_NOW - 80_000);
  await register('late', TEST_NOW);
  const list = () => as('viewer').get<{ result: Record<string, unknown>[] }>('/api/server/executors');
  const { body, text } = await list();
  t.match(body, {
    result: [
      {
        name: 'late',
        labels: { zone: 'a' },
        connector_types: ['csv', 'sqlite'],
        slots: 4,
        status: 'online',
        last_seen_at: '2026-01-15T12:00:00.000Z',
      },
      { name: 'early', status: 'online' },
    ],
    next_cursor: null,
  });
  t.notMatch(text, /pl4nted/);
  clock.advance(20_000);
  t.same(
    (await list()).body.result.map(({ name, status }) => [name, status]),
    [
      ['late', 'online'],
      ['early', 'lost'],
    ],
  );
});
