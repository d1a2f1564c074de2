import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { childEnvironment } from '../../src/base/process/compile-cache.ts';
import type { RunExecutorOptions } from '../../src/executor/executor-main.ts';
import { grpcServer, KEY } from '../protocol/support/grpc-binding.ts';
import { ofFullList } from '../support/fault-list.ts';
import { LOOPBACK_ALLOWED } from '../support/outbound.ts';
import { isAlive } from '../support/watched-processes.ts';
import { eventually, TimedControlPlane } from './support/executor-bench.ts';
import { begun, ENDLESS, slowSpec } from './support/specs.ts';

async function startMain(t: Test, entry: string, more: Partial<RunExecutorOptions> = {}, ttlMs = 5_000) {
  const folder = t.testdir();
  const plane = new TimedControlPlane();
  plane.limits = { ...plane.limits, lease_ttl_ms: ttlMs };
  const server = grpcServer(plane);
  const port = await server.listen('127.0.0.1', 0);
  const child = fork(fileURLToPath(new URL(`./support/${entry}.ts`, import.meta.url)), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...childEnvironment() },
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  t.teardown(async () => {
    child.kill('SIGKILL');
    await server.stop(100);
  });
  child.send({
    server: `127.0.0.1:${port}`,
    key: KEY,
    name: 'main',
    slots: 2,
    labels: {},
    version: '0.0.0',
    logLevel: 'silent',
    access: { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 1_000 },
    outbound: LOOPBACK_ALLOWED,
    spoolDir: `${folder}/spool`,
    embedded: true,
    ...more,
  } satisfies RunExecutorOptions);
  return { plane, child, said: () => said };
}

const codeOf = async (child: ChildProcess) => (await once(child, 'exit'))[0] as number | null;

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');

function rssMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1];
  return Math.round(Number(kb) / 1024);
}

/** Child processes of a process, by what the system says. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

t.test('it says that it is ready, and the first SIGTERM lets runs end', async (t) => {
  const { plane, child, said } = await startMain(t, 'run-main');
  await eventually('the ready line', () => said().includes('Executor "main" (1) is ready: 2 slots'));
  const [runner = 0] = await eventually('the warm runner', () => {
    const pids = childrenOf(child.pid ?? 0);
    return pids.length === 1 && pids;
  });
  const run = plane.enqueue(slowSpec(10));
  await begun(run);
  await eventually('the next warm runner', () => childrenOf(child.pid ?? 0).length === 2);
  t.comment(`RSS: executor ${rssMb(child.pid ?? 0)} MB, runner ${rssMb(runner)} MB`);
  child.kill('SIGTERM');
  t.equal(await codeOf(child), 0);
  t.equal(run.completion?.status, 'success');
  t.notOk(isAlive(runner));
});

t.test('the second SIGTERM ends at once and gives the runs back', ofFullList, async (t) => {
  const { plane, child } = await startMain(t, 'run-main', { drainMs: 60_000, embedded: false });
  const run = plane.enqueue({ ...ENDLESS, yaml: ENDLESS.yaml?.replace('1s', '60s') ?? '' });
  await begun(run);
  child.kill('SIGTERM');
  await eventually('the drain', () => plane.calls.includes('drain'));
  t.equal(run.status, 'running');
  const from = performance.now();
  child.kill('SIGTERM');
  t.equal(await codeOf(child), 0);
  t.ok(performance.now() - from < 5_000, 'the drain would last 60 s');
  t.equal(run.status, 'queued');
});

t.test(
  'a run that ends for nobody is given back when the drain is over, and logs arrive before',
  ofFullList,
  async (t) => {
    const { plane, child } = await startMain(t, 'run-main', { drainMs: 3_000, embedded: false });
    const deaf = plane.enqueue({ ...ENDLESS, yaml: ENDLESS.yaml?.replace('1s', '60s') ?? '' });
    await begun(deaf);
    const willing = plane.enqueue(slowSpec(4));
    await begun(willing);
    const waiting = plane.enqueue(slowSpec(1));
    plane.cancel(deaf);
    const from = performance.now();
    child.kill('SIGTERM');
    t.equal(await codeOf(child), 0);
    t.ok(performance.now() - from < 20_000, 'the drain lasts 3 s, the run an hour');
    t.equal(willing.completion?.status, 'success');
    t.equal(willing.lines.length, willing.completion?.last_log_seq, 'its log is whole');
    t.ok(deaf.status === 'queued' || deaf.completion?.reason === 'forced');
    t.equal(waiting.status, 'queued', 'nothing new was taken');
    t.ok(plane.calls.includes('deregister'));
  },
);

t.test('an embedded executor whose parent dies drains and leaves, and so do its runners', async (t) => {
  const { plane, child } = await startMain(t, 'parent-main', { drainMs: 500 });
  const [pid] = (await once(child, 'message')) as [number];
  const run = plane.enqueue({ ...ENDLESS, yaml: ENDLESS.yaml?.replace('1s', '60s') ?? '' });
  await begun(run);
  const runners = childrenOf(pid);
  t.ok(runners.length > 0);
  child.kill('SIGKILL');
  await eventually('the executor is gone', () => !isAlive(pid));
  t.equal(run.status, 'queued');
  t.notOk(runners.some(isAlive));
});

t.test(
  'a runner outlives its lease in no case, though its executor is stopped and the runner stuck',
  ofFullList,
  async (t) => {
    const { plane, child } = await startMain(t, 'run-main', {}, 2_000);
    const run = plane.enqueue({ ...ENDLESS, yaml: ENDLESS.yaml?.replace('1s', '60s') ?? '' });
    await begun(run);
    // The busy one is the older; the other is kept warm.
    const [busy = 0] = childrenOf(child.pid ?? 0);
    await wait(2_500);
    t.ok(isAlive(busy), 'stuck for longer than its lease, it lives while that is renewed');
    child.kill('SIGSTOP');
    const from = performance.now();
    await eventually('the runner is dead', () => /^State:\s+[ZX]/m.test(statusOf(busy)));
    t.ok(performance.now() - from < 4_000, 'the lease lasts 2 s');
    child.kill('SIGCONT');
    const next = plane.enqueue(slowSpec(1));
    await eventually('it works on', () => next.completion);
  },
);

/** Of an interface to others; loopback is refused whatever its port. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

t.test('an executor that works, and is then killed', async (t) => {
  const host = ownAddress();
  const reached: string[] = [];
  const listen = async (name: string) => {
    const server = createServer((_request, response) => {
      reached.push(name);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    t.teardown(() => server.close());
    return (server.address() as AddressInfo).port;
  };
  const [closed, open] = [await listen('a port of the server'), await listen('another port')];
  const outbound = { policy: 'block-metadata', allow: [] } as const;
  const { plane, child } = await startMain(t, 'run-main', { outbound, serverPorts: [closed] });

  await t.test('no task reaches a port of the server by an address of this machine', async (t) => {
    if (host === undefined) return t.pass('this machine has no address but loopback');
    const own = { task_id: 7 };
    const to = (port: number) => ({ backend: 'http', config: { url: `http://${host}:${port}/x` }, own });
    const run = plane.enqueue({ ...slowSpec(1), metrics: [to(closed), to(open)] });
    await eventually('the completion', () => run.completion);
    await eventually('the metrics', () => reached.length > 0);
    t.same([...new Set(reached)], ['another port']);
  });

  await t.test('its runners end with it, also one that is stuck', async (t) => {
    const run = plane.enqueue({ ...ENDLESS, yaml: ENDLESS.yaml?.replace('1s', '60s') ?? '' });
    await begun(run);
    const runners = childrenOf(child.pid ?? 0);
    t.ok(runners.length > 0);
    child.kill('SIGKILL');
    await eventually('the runners are gone', () => !runners.some(isAlive));
  });
});
