// Long list: it kills processes, or cuts what they rely on; quick: test/executor/link/retry-call.test.ts, test/modules/executor-callbacks/callback-routes.test.ts.
import t from 'tap';
import { AppError } from '../../src/base/errors.ts';
import { connector, eventually, messagesOf, startBench } from './support/executor-bench.ts';
import { begun, recordedRows, slowSpec } from './support/specs.ts';

const INCREMENTAL = {
  yaml: `
version: 1
name: incremental
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {typed: false}, cursor: {field: id, type: integer} }
  - id: shape
    kind: transform
    input: read
    ops: [ { cast: { amount: integer } } ]
    on_error: { action: dead_letter }
  - { id: write, kind: load, input: shape, connector: target, object: rows }
`,
  connectors: {
    source: connector('csv', { path: 'in.csv' }),
    target: connector('sqlite', { path: 'out.db' }),
  },
};

t.test('each answer is lost once, and nothing is stored twice', async (t) => {
  const { plane } = await startBench(t, { files: { 'in.csv': 'id,amount\n1,1\n2,x\n3,y\n4,4\n' } });
  const lost = new Set<string>();
  plane.after = (operation) => {
    if (lost.has(operation)) return;
    lost.add(operation);
    throw new AppError('NOT_READY', 'the answer is lost');
  };
  const run = plane.enqueue(INCREMENTAL);
  const completion = await eventually('the completion', () => run.completion);
  t.strictSame([...lost].sort(), ['appendLogs', 'putDeadLetters', 'reportMetrics', 'saveCheckpoint']);
  t.match(completion, { status: 'warning', rows_out: 2, rows_failed: 2 });
  t.strictSame(
    run.deadLetters.map(({ item }) => item),
    [
      { id: '2', amount: 'x' },
      { id: '3', amount: 'y' },
    ],
  );
  const saved = [...run.checkpoints.values()];
  t.ok(saved.length > 0 && saved.every(({ version }) => version === 1), 'every cursor was saved once');
  t.equal(run.metrics.size, 1);
  t.equal(run.lines.length, completion.last_log_seq);
  t.equal(new Set(messagesOf(run)).size, run.lines.length, 'no line came twice');
});

t.test(
  'a line that the control plane refuses gives its place to a note, and the others arrive',
  async (t) => {
    const { plane } = await startBench(t);
    plane.poison = 'poison';
    const steps = Array.from(
      { length: 40 },
      (_, n) => `  - { id: s${n}, kind: log, message: "${n === 17 ? 'poison' : `line ${n}`}" }`,
    );
    const run = plane.enqueue({ yaml: `version: 1\nname: odd\nsteps:\n${steps.join('\n')}\n` });
    await eventually('the log is whole', () => run.completion?.last_log_seq === run.lines.length);
    const said = messagesOf(run).filter((text) => /^line \d|rejected/.test(text));
    t.equal(said.length, 40);
    t.equal(said[17], 'The control plane rejected this line');
    t.equal(said[18], 'line 18');
  },
);

t.test('heartbeats that are not answered make a new session, and the run goes on', async (t) => {
  const bench = await startBench(t);
  const run = bench.plane.enqueue(slowSpec(60));
  await begun(run);
  let deaf = true;
  bench.plane.before = (operation) => {
    if (deaf && operation === 'heartbeat') throw new AppError('NOT_READY', 'not now');
  };
  const sessions = bench.plane.attached.length;
  await eventually('another session', () => bench.plane.attached.length > sessions);
  deaf = false;
  await eventually('the completion', () => run.completion);
  t.equal(run.completion?.status, 'success');
  t.equal(recordedRows(bench), 600);
});

t.test('a specification that cannot be had ends the run for what it says', async (t) => {
  const { plane } = await startBench(t);
  plane.before = (operation) => {
    if (operation === 'runSpec') throw new AppError('CONNECTOR_ERROR', 'The connector "crm" does not exist');
  };
  const run = plane.enqueue(slowSpec(1));
  const completion = await eventually('the completion', () => run.completion);
  t.match(completion, { status: 'error', reason: 'config_error', retryable: false });
  t.match(completion.failure, { code: 'CONNECTOR_ERROR', message: 'The connector "crm" does not exist' });
  await eventually('the log is whole', () => run.lines.length === completion.last_log_seq);
});
