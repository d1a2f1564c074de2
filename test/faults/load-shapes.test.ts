import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { type Lease, PROTOCOL_VERSION } from '../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { settle } from '../support/chaos.ts';
import { EXECUTOR_KEY } from '../support/crash-server.ts';
import { ofFullList } from '../support/fault-list.ts';
import { type FaultWorld, startWorld } from '../support/fault-world.ts';
import { proveHistory } from '../support/history-proof.ts';
import { makeSmallJob, startRuns } from '../support/load-jobs.ts';
import { endScene, loadScene } from '../support/load-scene.ts';
import { toLine } from '../support/log-lines.ts';
import { residentMb } from '../support/process-memory.ts';
import { seeded } from '../support/seed.ts';
import { until } from '../support/served.ts';
import { SlowReader } from '../support/slow-reader.ts';

const STOP_MS_MAX = 12_000;
const READERS = 50;
const FLOOD_LINES = 20_000;
const MEMORY_MB_MAX = 600;
const HEALTH_MS_MAX = 3_000;

t.setTimeout(400_000);

t.test(
  'SIGTERM under load: the server ends by itself, in time, and the next one goes on',
  ofFullList,
  async (t) => {
    const world = await startWorld(t);
    const [server] = world.servers;
    const scene = await loadScene(t, world);
    for (let times = 0; times < 2; times++) {
      const began = performance.now();
      server?.signal('SIGTERM');
      t.equal(await server?.ended(), 0, 'it has ended well');
      t.ok(performance.now() - began < STOP_MS_MAX, 'and soon');
      await server?.mustStart();
      await sleep(2_000);
    }
    await endScene(t, scene);
  },
);

/** The slowest of the answers to "are you there", asked until `over`. */
async function slowestHealth(world: FaultWorld, over: AbortSignal): Promise<number> {
  let slowest = 0;
  while (!over.aborted) {
    const began = performance.now();
    await fetch(`${world.servers[0]?.url}/api/health`).then((answer) => answer.text());
    slowest = Math.max(slowest, performance.now() - began);
    await sleep(50);
  }
  return slowest;
}

t.test(
  'a flood of lines, and fifty readers that do not read: bounded memory, answers, and every line',
  ofFullList,
  async (t) => {
    const { seed } = seeded(t);
    const world = await startWorld(t);
    const { taskId } = await makeSmallJob(world.api);
    const [server] = world.servers;
    const runs = await startRuns(world.api, taskId, 8);
    const [watched] = runs;
    if (server === undefined || watched === undefined) throw new Error('nothing to watch');
    const readers = Array.from(
      { length: READERS },
      () => new SlowReader(t, server.url, world.apiKey, watched),
    );
    const over = new AbortController();
    const health = slowestHealth(world, over.signal);
    const fleet = world.fleet({
      seed,
      processes: 2,
      executorsPerProcess: 2,
      batchLines: 400,
      linesPerRun: FLOOD_LINES,
      metricPoints: 200,
      // Loops of the generator itself bound the flood; the server is given all that they can.
      linesPerSecondMax: 0,
    });
    let memory = 0;
    const watch = setInterval(() => {
      memory = Math.max(memory, residentMb(server.pid));
    }, 200);
    await until('the flood is there', 60_000, async () => fleet.working === fleet.size);
    const began = performance.now();
    await settle(world);
    const seconds = (performance.now() - began) / 1_000;
    over.abort();
    clearInterval(watch);
    const slowest = await health;
    await fleet.stop();
    t.comment(
      `${Math.round(fleet.figures.lines / seconds)} lines/s, ${Math.round(memory)} MB, health in ${Math.round(slowest)} ms at most`,
    );
    t.ok(memory < MEMORY_MB_MAX, `${Math.round(memory)} MB`);
    t.ok(slowest < HEALTH_MS_MAX, `${Math.round(slowest)} ms`);
    const page = await world.api.get<{ last_seq: number }>(`/api/runs/${watched}/logs?limit=1`);
    const all = Array.from({ length: page.last_seq }, (_, index) => index + 1);
    for (const reader of readers.slice(0, 3))
      t.strictSame(await reader.readToEnd(60_000), all, 'it has all, late');
    await proveHistory(t, world, { seed });
  },
);

t.test(
  'lines of a megabyte, with NUL, escapes and halves of characters, are cut and taken',
  ofFullList,
  async (t) => {
    const world = await startWorld(t);
    const { taskId } = await makeSmallJob(world.api);
    await startRuns(world.api, taskId, 1);
    const client = createGrpcClient({ address: world.servers[0]?.grpcAddress ?? '', key: EXECUTOR_KEY });
    t.teardown(() => client.close());
    await client.register({
      name: 'large',
      instance_id: 'a',
      version: '0.0.0',
      protocol_version: PROTOCOL_VERSION,
      features: [],
      labels: {},
      slots: 1,
      connector_types: [],
    });
    let given: Lease | null = null;
    const lease = await new Promise<Lease>((resolve) => {
      const session = client.openSession([], {
        onAttached: () => session.credits(1),
        onAssignment(assignment) {
          given = assignment.lease;
          session.acknowledge(given);
        },
        onAcknowledged: () => given !== null && resolve(given),
        onHeartbeat: () => undefined,
        onCancel: () => undefined,
        onCompleted: () => undefined,
        onDrained: () => undefined,
        onClosed: () => undefined,
      });
    });
    const messages = ['x'.repeat(1_048_576), 'a\0b\u001b[31mred\ud800', 'ü'.repeat(400_000)];
    for (const [index, message] of messages.entries()) {
      const line = toLine({ at: 1, level: 'info', step_id: '', message, fields: null });
      const ack = await client.appendLogs({ lease, first_seq: index + 1, lines: [line] });
      t.match(ack, { outcome: 'ACCEPTED', acked_seq: index + 1 });
    }
    const { result } = await world.api.get<{ result: { message: string }[] }>(
      `/api/runs/${lease.run_id}/logs`,
    );
    t.equal(result.length, messages.length);
    for (const { message } of result) t.ok(message.length < 20_000 && message.isWellFormed());
  },
);
