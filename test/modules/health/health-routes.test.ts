import t from 'tap';
import { type Checks, registerHealthRoutes } from '../../../src/modules/health/health-routes.ts';
import { createTestApp } from '../../support/app.ts';

const GOOD: Checks = { store: true, migrations: true, scheduler: true, executors: true, grpc: true };

t.test('the process says that it is alive, to anybody', async (t) => {
  const { anonymous } = await createTestApp(t, (app) =>
    registerHealthRoutes(app, { version: '1.2.3', uptimeSeconds: () => 7, checks: async () => GOOD }),
  );
  t.same((await anonymous.get('/api/health')).body, { status: 'ok', version: '1.2.3', uptime_seconds: 7 });
});

t.test('it is ready when every part is, and says which is not', async (t) => {
  let found = GOOD;
  const { anonymous } = await createTestApp(t, (app) =>
    registerHealthRoutes(app, { version: '1', uptimeSeconds: () => 1, checks: async () => found }),
  );
  t.match(await anonymous.get('/api/health/ready'), {
    status: 200,
    body: { status: 'ready', checks: { store: 'ok', grpc: 'ok' } },
  });
  found = { ...GOOD, executors: 'none' };
  t.match(await anonymous.get('/api/health/ready'), {
    status: 200,
    body: { status: 'ready', checks: { executors: 'none', grpc: 'ok' } },
  });
  for (const part of Object.keys(GOOD)) {
    found = { ...GOOD, [part]: false };
    const { status, body } = await anonymous.get<{ status: string; checks: Record<string, string> }>(
      '/api/health/ready',
    );
    t.same([status, body.status], [503, 'not_ready']);
    t.same(
      Object.entries(body.checks).filter(([, state]) => state === 'failing'),
      [[part, 'failing']],
    );
  }
});
