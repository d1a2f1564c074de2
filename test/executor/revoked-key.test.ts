import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { createExecutor } from '../../src/executor/executor.ts';
import type { RunExecutorOptions } from '../../src/executor/executor-main.ts';
import { fingerprintOf } from '../../src/protocol/executor-key.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { createGrpcServer } from '../../src/protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS } from '../../src/protocol/grpc-server-limits.ts';
import { KEY } from '../protocol/support/grpc-binding.ts';
import { LOOPBACK_ALLOWED, outboundOf } from '../support/outbound.ts';
import { eventually, TimedControlPlane } from './support/executor-bench.ts';
import { begun, ENDLESS } from './support/specs.ts';

const EX_NOPERM = 77;

async function start(t: Test, valid: string[], isKnown = true) {
  const folder = t.testdir();
  const plane = new TimedControlPlane();
  const server = createGrpcServer({
    controlPlane: plane,
    keys: () => valid,
    isRevokedKey: (fingerprint) => isKnown && !valid.includes(KEY) && fingerprint === fingerprintOf(KEY),
    limits: GRPC_SERVER_LIMITS,
    logger: silentLogger,
  });
  const port = await server.listen('127.0.0.1', 0);
  const child = fork(fileURLToPath(new URL('./support/run-main.ts', import.meta.url)), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
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
    logLevel: 'error',
    access: { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 1_000 },
    outbound: LOOPBACK_ALLOWED,
    spoolDir: `${folder}/spool`,
    embedded: false,
  } satisfies RunExecutorOptions);
  return { plane, server, child, log: () => log };
}

const codeOf = async (child: ChildProcess) => (await once(child, 'exit'))[0] as number | null;

t.test('an executor whose key is revoked gives its runs up, says why and leaves', async (t) => {
  const valid = [KEY];
  const { plane, server, child, log } = await start(t, valid);
  const run = plane.enqueue({ ...ENDLESS, yaml: ENDLESS.yaml?.replace('1s', '60s') ?? '' });
  await begun(run);
  valid.pop();
  const from = performance.now();
  server.keysChanged();
  t.equal(await codeOf(child), EX_NOPERM);
  t.ok(performance.now() - from < 5_000);
  await eventually('the log', () => log().includes('is revoked'));
  t.match(log(), new RegExp(`${fingerprintOf(KEY)}.* is revoked.*abandons its runs`));
  t.notMatch(log(), KEY);
  t.equal(run.completion, null, 'its lease lapses on the server');
});

t.test('an executor that comes with a revoked key leaves at once', async (t) => {
  const { child, log } = await start(t, []);
  t.equal(await codeOf(child), EX_NOPERM);
  await eventually('the log', () => log().includes('is revoked'));
});

t.test(
  'a key that the server does not know is refused a few times; then the executor says where, and leaves',
  async (t) => {
    const { child, log } = await start(t, ['the-key-of-another-executor-0123456'], false);
    t.equal(await codeOf(child), EX_NOPERM);
    await eventually('the log', () => log().includes('is refused'));
    t.match(log(), /is refused by the server at .*127\.0\.0\.1:\d+.*: set SVC_EXECUTOR_KEY or --key/);
    t.notMatch(log(), KEY);
  },
);

t.test('a key that is not known yet is tried again', async (t) => {
  const valid = ['the-key-of-another-executor-0123456'];
  const folder = t.testdir();
  const plane = new TimedControlPlane();
  const server = createGrpcServer({
    controlPlane: plane,
    keys: () => valid,
    limits: GRPC_SERVER_LIMITS,
    logger: silentLogger,
  });
  const port = await server.listen('127.0.0.1', 0);
  const executor = createExecutor({
    client: createGrpcClient({ address: `127.0.0.1:${port}`, key: KEY }),
    name: 'early',
    instanceId: 'i',
    version: '0',
    labels: {},
    slots: 1,
    connectorTypes: [],
    spoolDir: `${folder}/spool`,
    connectContext: { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 },
    outbound: outboundOf(t),
    logger: silentLogger,
    clock: { now: () => Date.now() },
    random: () => 0.9,
  });
  const started = executor.start();
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(executor.stats().connected, false);
  valid.push(KEY);
  await started;
  t.equal(executor.stats().connected, true);
  await executor.stop({ drainMs: 0 });
  await server.stop(100);
});
