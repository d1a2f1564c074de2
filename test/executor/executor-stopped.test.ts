// Long list: it kills processes, or cuts what they rely on; quick: test/executor/executor-main.test.ts, test/executor/lease-deadline.test.ts.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { childEnvironment } from '../../src/base/process/compile-cache.ts';
import type { RunExecutorOptions } from '../../src/executor/executor-main.ts';
import type { RunSpec } from '../../src/protocol/control-plane.ts';
import { grpcServer, KEY } from '../protocol/support/grpc-binding.ts';
import type { MemoryRun } from '../protocol/support/memory-run.ts';
import { LOOPBACK_ALLOWED } from '../support/outbound.ts';
import { connector, eventually, rowsOf, TimedControlPlane } from './support/executor-bench.ts';
import { begun } from './support/specs.ts';

const LEASE_MS = 2_000;
/** Of the executors that come later: nobody gives their runs out again. */
const LONG_LEASE_MS = 30_000;
const main = fileURLToPath(new URL('./support/run-main.ts', import.meta.url));

/** A control plane with short leases, and a way to start executors as processes, each with one slot. */
async function startPlane(t: Test) {
  const folder = t.testdir();
  const plane = new TimedControlPlane();
  plane.limits = { ...plane.limits, lease_ttl_ms: LEASE_MS };
  const server = grpcServer(plane);
  const port = await server.listen('127.0.0.1', 0);
  const children: ChildProcess[] = [];
  t.teardown(async () => {
    for (const child of children) child.kill('SIGKILL');
    await server.stop(100);
  });
  const start = async (name: string): Promise<number> => {
    const child = fork(main, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, ...childEnvironment() },
    });
    children.push(child);
    child.send({
      server: `127.0.0.1:${port}`,
      key: KEY,
      name,
      slots: 1,
      labels: {},
      version: '0.0.0',
      logLevel: 'silent',
      access: { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 1_000 },
      outbound: LOOPBACK_ALLOWED,
      spoolDir: `${folder}/spool-${name}`,
      embedded: true,
    } satisfies RunExecutorOptions);
    const before = plane.attached.length;
    await eventually(`executor ${name}`, () => plane.attached.length > before);
    return child.pid ?? 0;
  };
  return { plane, folder, start };
}

/** As a control plane does when a lease has lapsed. */
function giveOutAgain(plane: TimedControlPlane, run: MemoryRun): void {
  plane.requeue(run);
  run.lease = { ...run.lease, attempt: run.lease.attempt + 1 };
  run.lines.length = 0;
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function isGone(pid: number): boolean {
  const file = `/proc/${pid}/status`;
  return !existsSync(file) || /^State:\s+[ZX]/m.test(readFileSync(file, 'utf8'));
}

/** Sixty calls with an effect each, 50 ms apart, and a load at the end. */
const EFFECTS: Partial<RunSpec> = {
  yaml: `
version: 1
name: effects
connectors: { record: {type: dummy}, source: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: say, kind: log, message: "begun" }
${Array.from(
  { length: 60 },
  (_, n) =>
    `  - { id: c${n}, kind: call, connector: record, method: record, args: { rows: [{ attempt: "{{ run.attempt }}", n: ${n} }] } }`,
).join('\n')}
  - { id: read, kind: extract, connector: source, method: list, batch: {size: 100} }
  - { id: write, kind: load, input: read, connector: target, object: rows, mode: append }
`,
  connectors: {
    record: connector('dummy', { delay_ms: 50, record_to: 'effects.ndjson' }),
    source: connector('dummy', { generate: { count: 1_000, columns: ['id'] } }),
    target: connector('sqlite', { path: 'out.db' }),
  },
};

/** A load of 40 batches, 50 ms each, and one commit. */
const SLOW_LOAD: Partial<RunSpec> = {
  yaml: `
version: 1
name: slow load
connectors: { source: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: say, kind: log, message: "begun" }
  - { id: read, kind: extract, connector: source, method: list, batch: {size: 25} }
  - { id: write, kind: load, input: read, connector: target, object: rows, mode: append }
`,
  connectors: {
    source: connector('dummy', { generate: { count: 1_000, columns: ['id'] }, delay_ms: 50 }),
    target: connector('sqlite', { path: 'out.db' }),
  },
};

const EACH_ONCE = 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM rows';

function effectsOf(folder: string, attempt: number): number {
  const file = join(folder, 'effects.ndjson');
  if (!existsSync(file)) return 0;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.filter((line) => line.includes(`"attempt":${attempt}`)).length;
}

t.test('an executor that is stopped past its lease and wakes has no effect any more', async (t) => {
  const { plane, folder, start } = await startPlane(t);
  const first = await start('first');
  const run = plane.enqueue(EFFECTS);
  await eventually('some effects', () => effectsOf(folder, 1) >= 2);
  const runners = childrenOf(first);
  process.kill(first, 'SIGSTOP');
  const from = performance.now();
  // The runner is not stopped: it ends by itself when nobody renews its lease.
  await eventually('its runner is gone', () => runners.some(isGone));
  t.ok(performance.now() - from < LEASE_MS + 1_000);
  const effects = effectsOf(folder, 1);
  t.ok(effects < 60);
  plane.limits = { ...plane.limits, lease_ttl_ms: LONG_LEASE_MS };
  const second = await start('second');
  giveOutAgain(plane, run);
  plane.enqueue({ yaml: 'version: 1\nname: wake\nsteps:\n  - { id: say, kind: log, message: "hi" }\n' });
  await begun(run);
  process.kill(first, 'SIGCONT');
  const completion = await eventually('the completion', () => run.completion);
  t.match(completion, { status: 'success', lease: { attempt: 2 } });
  t.equal(effectsOf(folder, 1), effects, 'the first attempt did nothing more');
  t.equal(effectsOf(folder, 2), 60);
  t.strictSame(rowsOf(join(folder, 'out.db'), EACH_ONCE), [{ n: 1_000, ids: 1_000 }]);
  await eventually('the woken one works again', () =>
    [...plane.runs.values()].every((each) => each.completion),
  );
  t.notOk(isGone(second));
});

t.test('an executor and its runner, both stopped in a load, leave each row once', async (t) => {
  const { plane, folder, start } = await startPlane(t);
  const first = await start('first');
  const run = plane.enqueue(SLOW_LOAD);
  await begun(run);
  await wait(300);
  const runners = childrenOf(first);
  for (const pid of [first, ...runners]) process.kill(pid, 'SIGSTOP');
  await wait(LEASE_MS + 200);
  plane.limits = { ...plane.limits, lease_ttl_ms: LONG_LEASE_MS };
  await start('second');
  giveOutAgain(plane, run);
  await begun(run);
  await wait(500);
  for (const pid of [first, ...runners]) process.kill(pid, 'SIGCONT');
  await eventually('its runner is gone', () => runners.some(isGone));
  const completion = await eventually('the completion', () => run.completion);
  t.match(completion, { status: 'success', lease: { attempt: 2 } });
  t.strictSame(plane.accepted, [run.lease.run_id]);
  t.strictSame(rowsOf(join(folder, 'out.db'), EACH_ONCE), [{ n: 1_000, ids: 1_000 }]);
  // The last lines may come after the completion.
  await eventually('its whole log', () => run.lines.length >= completion.last_log_seq);
  t.equal(run.lines.length, completion.last_log_seq, 'no line of the first attempt is among them');
});
