import t from 'tap';
import { registerServerRoutes } from '../../../src/modules/server/server-routes.ts';
import { createTestApp } from '../../support/app.ts';

/** As the composition root gives it: with more than is told. */
const info = () => ({
  version: '0.1.0',
  store: 'sqlite',
  workers: { threads: 2, queued: 0, running: 1, restarts: 0, hostPid: 4711, isolated: 0 },
  limits: { body_bytes: 1, queue_max: 2, task_timeout_ms: 3, requests_per_minute: 4 },
  grpc: { address: '127.0.0.1:1', tls: false },
  public_url: null,
});

t.test('server info is for admins, and holds what is declared alone', async (t) => {
  const { as, anonymous, withKey } = await createTestApp(t, (app) => registerServerRoutes(app, { info }));
  const { status, body } = await as('admin').get('/api/server/info');
  t.equal(status, 200);
  t.same(body, { ...info(), workers: { threads: 2, queued: 0, running: 1, restarts: 0 } });
  t.equal((await as('editor').get('/api/server/info')).status, 403);
  t.equal((await withKey('admin', 'tasks:read').get('/api/server/info')).status, 403);
  t.match(await anonymous.get('/api/server/info'), { status: 401, body: { error: 'AUTH_ERROR' } });
});
