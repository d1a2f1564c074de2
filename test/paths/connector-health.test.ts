// Long list: it cuts what a whole server relies on; quick: test/modules/connector-health/connector-health-record.test.ts, test/modules/connector-health/connector-health-routes.test.ts.
import t from 'tap';
import { createDatabase } from '../support/postgres.ts';
import { type Served, serve, until } from '../support/served.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const TASK = `
version: 1
name: count_things
connectors: { shop: { type: postgres } }
steps:
  - { id: read, kind: extract, connector: shop, method: query, args: { sql: "select generate_series(1, 60) as n" } }
  - { id: say, kind: log, message: "{{ steps.read.count }} rows" }
`;
const PASSWORD_LIKE = 'password';

interface Health {
  readonly status: string;
  readonly since: string | null;
  readonly last_success_at: string | null;
  readonly last_error: { readonly code: string; readonly message: string; readonly run_id: number } | null;
  readonly totals: { readonly calls: number; readonly errors: number };
  readonly sources: { readonly run: { readonly calls: number } };
}

async function runOnce(served: Served, taskId: number, connectorId: number) {
  const { id } = await served.api.post<{ id: number }>(`/api/tasks/${taskId}/runs`, {
    connectors: { shop: connectorId },
  });
  return until('the run ends', 30_000, async () => {
    const run = await served.api.get<{ id: number; status: string }>(`/api/runs/${id}`);
    return !['queued', 'running'].includes(run.status) && run;
  });
}

t.test('a database that goes away makes its connector fail, and its next answer mends it', async (t) => {
  const served = await serve(t);
  const database = await createDatabase(t);
  const { host, username, password, pathname } = new URL(database.url);
  const proxy = await TcpProxy.start(t, host);
  const [name, port] = proxy.address.split(':');
  const connector = await served.api.post<{ id: number }>('/api/connectors', {
    name: 'shop',
    type: 'postgres',
    config: {
      host: name,
      port: Number(port),
      database: pathname.slice(1),
      user: username,
      password: password || PASSWORD_LIKE,
      ssl: 'disable',
    },
  });
  const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
  const health = () => served.api.get<Health>(`/api/connectors/${connector.id}/health`);
  t.match(await health(), { status: 'unknown', since: null, last_error: null, totals: { calls: 0 } });

  t.match(await runOnce(served, task.id, connector.id), { status: 'success' });
  const well = await health();
  t.match(well, { status: 'ok', last_error: null, totals: { errors: 0 } });
  t.ok(well.totals.calls >= 2, `opening it and reading are calls: ${well.totals.calls}`);
  t.equal(well.sources.run.calls, well.totals.calls);

  proxy.set('refuse');
  const failed = await runOnce(served, task.id, connector.id);
  t.match(failed, { status: 'error' });
  const failing = await health();
  t.match(failing, { status: 'failing', last_error: { code: 'UNAVAILABLE', run_id: failed.id } });
  t.notOk(failing.last_error?.message.includes(password || PASSWORD_LIKE), 'no secret');
  t.equal(failing.last_success_at, well.last_success_at);
  const listed = await served.api.get<{ result: unknown[] }>('/api/connectors/health?status=failing');
  t.match(listed.result, [
    { connector_id: connector.id, status: 'failing', errors_24h: failing.totals.errors },
  ]);

  proxy.set('pass');
  t.match(await runOnce(served, task.id, connector.id), { status: 'success' });
  const back = await health();
  t.match(back, { last_error: { run_id: failed.id } }, 'the last error stays on record');
  t.not(back.status, 'failing');
  const share = back.totals.errors / back.totals.calls;
  t.equal(back.status, share > 0.05 ? 'degraded' : 'ok', `${share} of its calls failed`);
  const failingNow = await served.api.get<{ result: unknown[] }>('/api/connectors/health?status=failing');
  t.same(failingNow.result, []);
});
