import { join } from 'node:path';
import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { createKeeper, rowsOf, runYaml } from '../support/task-run.ts';

const PARENT = `
name: parent
connectors: { source: {type: dummy}, broken: {type: dummy}, to: {type: sqlite} }
steps: [{ id: sync, kind: run_task, task: copy_rows, connectors: { from: source } }]
`;

/** Loads its rows, and then does what cannot go well. */
const child = (keys: string, last: string) => `
name: copy_rows
${keys}
connectors: { from: {type: dummy}, broken: {type: dummy}, to: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: from, method: list }
  - { id: write, kind: load, input: read, connector: to, object: t }
  - { id: last, ${last} }
`;
const CALL = 'kind: call, connector: broken, method: get, args: { value: 1 }, retry: { max_attempts: 1 }';

function run(folder: string, text: string, fault: string, keeper = createKeeper()) {
  const connectors = {
    source: { type: 'dummy', config: { generate: { count: 10, columns: ['id'] } } },
    broken: { type: 'dummy', config: { fault } },
    to: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const input = { tasks: { copy_rows: parseTask(text) }, run: { id: 7, attempt: 1 } };
  return runYaml({ folder, yaml: PARENT, connectors, input, keeper });
}

const attemptsOf = ({ steps }: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(steps.map(({ step_id, attempts }) => [step_id, attempts]));

t.test('its own retry runs it again, and what is loaded already does not come twice', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  const text = child('retry: { max_attempts: 3, delay: 1s, factor: 1, jitter: 0 }', CALL);
  const outcome = await run(folder, text, 'UNAVAILABLE', keeper);
  t.match(outcome, { status: 'error', retryable: true, failure: { step_id: 'sync/last' } });
  t.match(outcome.failure?.message, /^The task "copy_rows" failed in its step "last": /);
  t.strictSame(attemptsOf(outcome), { sync: 1, 'sync/read': 3, 'sync/write': 3, 'sync/last': 3 });
  const told = keeper.logs.filter(({ message }) => message.startsWith('Retrying in 1.0 s'));
  t.strictSame(
    told.map(({ step_id }) => step_id),
    ['sync/last', 'sync/last'],
  );
  t.equal(rowsOf(join(folder, 'out.db'), 'SELECT id FROM t').length, 10);
});

t.test('what cannot pass is not tried again', async (t) => {
  const text = child('retry: { max_attempts: 3, delay: 1s }', CALL);
  const outcome = await run(t.testdir(), text, 'CONFIG');
  t.match(outcome, { status: 'error', retryable: false });
  t.match(attemptsOf(outcome), { 'sync/last': 1 });
});

t.test('its deadline is that of all attempts, and its timeout of each', async (t) => {
  const sleep = 'kind: sleep, duration: 10m';
  const limits = 'retry: { max_attempts: 5, delay: 10m, max_delay: 10m }';
  const ended = await run(t.testdir(), child(`timeout: 1s\ndeadline: 3s\n${limits}`, sleep), 'CONFIG');
  t.equal(ended.failure?.message, 'The task "copy_rows" did not finish within 3 s');
  t.match(ended, { status: 'error', reason: 'timeout', failure: { step_id: 'sync' } });
});
