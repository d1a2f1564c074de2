// Long list: it kills processes, or cuts what they rely on; quick: test/modules/runs/run-parts.test.ts, test/modules/executor-callbacks/parts-route.test.ts, test/engine/partition/local-parts.test.ts.
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { execute, rowsOf } from '../drivers/sql/engines.ts';
import { killHard, partsWorld, stages } from '../support/parts-world.ts';
import { runCli } from '../support/run-cli.ts';
import { until } from '../support/served.ts';

/* Real executors share one run: what each of them does to the rows, and what becomes of them when one is killed, stopped or cancelled. */

t.setTimeout(600_000);

const ROWS = 16_000;
const world = await partsWorld(t, ROWS);
const { db, executor, start, end, run, parts, isCopied, served } = world;

t.beforeEach(() =>
  execute(
    db,
    'DROP TABLE IF EXISTS dst',
    'CREATE TABLE dst (id bigint, n integer)',
    'INSERT INTO dst VALUES (0, -1)',
  ),
);

await executor('a');

/** A run that is being worked on by two executors, of which the other one is `b`, with parts of its own. */
async function shared(t: Test, name: string) {
  const other = await executor(name);
  const { id } = await start({
    partition: '{by: id, parts: 8, concurrency: 1}',
    load: 'mode: append',
    batch: 20,
  });
  const holder = await until('both have a part', 60_000, async () => {
    const taken = (await parts(id)).filter(({ state }) => state === 'taken');
    const owner = await run(id);
    const helping = taken.find((part) => part.run_id !== id);
    return taken.length === 2 && helping !== undefined && owner.status === 'running' && helping.executor;
  });
  t.teardown(() => killHard(other));
  return { id, other, ownsRun: holder !== name };
}

t.test('two executors work on the parts of one run, which publishes them together', async (t) => {
  const { id, other } = await shared(t, 'b');
  const ended = await end(id);
  t.match(ended, { status: 'success', items: { in: ROWS, out: ROWS } });
  await isCopied(t, 1);
  const shown = await parts(id);
  t.equal(shown.length, 9, 'with that of rows without a value');
  t.ok(shown.every(({ state }) => state === 'staged'));
  t.equal(
    shown.reduce((sum, part) => sum + part.rows, 0),
    ROWS,
  );
  t.same([...new Set(shown.map((part) => part.executor))].sort(), ['a', 'b'], 'both had some');
  const { result } = await served.api.get<{
    result: { rows_in: number; rows_out: number; status: string }[];
  }>(`/api/runs/${id}/steps`);
  t.same(
    result.map(({ rows_in, rows_out, status }) => [rows_in, rows_out, status]),
    Array.from({ length: 3 }, () => [ROWS, ROWS, 'success']),
    'the steps count the rows of both',
  );
  const env = { SVC_SERVER: served.url, SVC_TOKEN: served.apiKey };
  const listed = await runCli(['runs', 'parts', String(id)], { env });
  t.match(listed, { code: 0, stdout: /^part +step +range +state +executor +attempts +rows +took/ });
  t.match(listed.stdout, /^1 +read +.+ +staged +[ab] +\d+ +\d+ +\d/m);
  t.equal(listed.stdout.trimEnd().split('\n').length, 1 + shown.length);
  const json = await runCli(['runs', 'parts', String(id), '--json'], { env });
  t.same(JSON.parse(json.stdout).result, shown);
  t.match(await runCli(['runs', 'parts', '999999'], { env }), { code: 1, stderr: /999999/ });
  const list = await served.api.get<{ result: { id: number }[] }>('/api/runs');
  t.notOk(list.result.some((one) => one.id !== id && shown.some((part) => part.run_id === one.id)));
  other.kill('SIGTERM');
});

t.test('what one of them was doing when it was killed is done by the other', async (t) => {
  const { id, other } = await shared(t, 'c');
  await killHard(other);
  t.match(await end(id), { status: 'success', items: { out: ROWS } });
  await isCopied(t, 1);
  t.ok((await parts(id)).some(({ attempts }) => attempts > 1));
});

t.test('one that was stopped past its lease, and comes back, adds nothing', async (t) => {
  const { id, other, ownsRun } = await shared(t, 'd');
  const stopped = [other.pid ?? 0, ...world.runnersOf(other)];
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  t.match(await end(id), { status: 'success' });
  for (const pid of stopped.reverse()) process.kill(pid, 'SIGCONT');
  await delay(2_000);
  t.ok(ownsRun || (await run(id)).attempt === 1);
  await isCopied(t, 1);
});

t.test('a cancelled run stops both, and leaves the target as it was', async (t) => {
  const { id } = await shared(t, 'e');
  await served.api.post(`/api/runs/${id}/cancel`, {});
  t.match(await end(id), { status: 'cancelled' });
  const helpers = [...new Set((await parts(id)).map(({ run_id }) => run_id))].filter((one) => one !== null);
  t.equal(helpers.length, 2);
  for (const helper of helpers) t.match(await end(helper), { status: 'cancelled' });
  t.strictSame(await rowsOf(db, 'SELECT n FROM dst'), [{ n: -1 }]);
  t.equal(await stages(db), 0);
});

t.test('with one slot all parts stay with the run', async (t) => {
  const other = await executor('f');
  const { id } = await start({ partition: '{by: id, parts: 3, slots: 1}', load: 'mode: append' });
  t.match(await end(id), { status: 'success' });
  await isCopied(t, 1);
  t.same([...new Set((await parts(id)).map(({ run_id }) => run_id))], [id]);
  other.kill('SIGTERM');
});

t.test('parts of a task that another one runs stay with the run, whose log says why', async (t) => {
  const steps = `steps:
  - { id: read, kind: extract, connector: db, method: list, args: {table: src}, partition: {by: id, parts: 3} }
  - { id: write, kind: load, input: read, connector: db, object: dst, mode: append }
`;
  const head = (name: string) => `version: 1\nname: ${name}\nconnectors: { db: {type: postgres} }\n`;
  await served.api.post('/api/tasks', { yaml_content: head('inner') + steps });
  const outer = `${head('outer')}steps:\n  - { id: child, kind: run_task, task: inner, connectors: {db: db} }\n`;
  const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: outer });
  const { id } = await served.api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, {
    connectors: { db: world.connector.id },
  });
  t.match(await end(id), { status: 'success' });
  await isCopied(t, 1);
  t.same(await parts(id), []);
  const { result } = await served.api.get<{ result: { message: string }[] }>(`/api/runs/${id}/logs`);
  const reason =
    'Parts are not shared with other executors: the step belongs to a task that another one runs';
  t.ok(result.some(({ message }) => message.includes(reason)));
});
