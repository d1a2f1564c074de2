// Long list: it tries every combination of many; quick: test/modules/executor-callbacks/callback-routes.test.ts.
import t from 'tap';
import type { ExecutorIdentity, Lease } from '../../../src/protocol/control-plane.ts';
import type { Store } from '../../../src/store/store.ts';
import { fewOrMany } from '../../support/fault-list.ts';
import { checkHistory } from '../../support/history.ts';
import { checkLogs } from '../../support/history-logs.ts';
import { eachStore } from '../../support/stores.ts';
import {
  batchOf,
  completionOf,
  FAILED,
  frameOf,
  mustRun,
  newExecutor,
  OPERATOR,
  openPlane,
  type Plane,
  passTime,
  queueRun,
} from '../runs/plane.ts';
import { RETRY, RunModel } from './run-model.ts';

/*
 * Random sequences of what executors, people and time do to one run, against a model of a few lines. `HEADGATE_TEST_SEED`
 * repeats a sequence that failed.
 */

const SEQUENCES = fewOrMany(75, 300);
const STEPS_MAX = 14;
/** A machine that has much else to do plays fewer. */
const BUDGET_MS = 12_000;
const SEQUENCES_MIN = 25;
/** Odd, so that no few of them add up to a limit: real time passes too while a sequence plays. */
const PASSES_MS = [1_913, 6_331, 21_377, 95_839, 311_123];

/** mulberry32. Source: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Step = (world: World) => Promise<void>;

interface World {
  readonly plane: Plane;
  readonly executor: ExecutorIdentity;
  readonly model: RunModel;
  readonly runId: number;
  readonly random: () => number;
  /** Throws where the server does not do as the model. */
  same(what: string, found: unknown, wanted: unknown): void;
}

/** Mostly the newest lease; now and then one of before. */
function anyLease({ model, random }: World): Lease | undefined {
  const newest = model.leases.at(-1);
  return random() < 0.75 ? newest : model.leases[Math.floor(random() * model.leases.length)];
}

const STEPS: readonly (readonly [weight: number, step: Step])[] = [
  [
    4,
    async ({ plane, executor, model, same }) => {
      const due = model.status === 'queued' && model.availableAt <= model.now;
      const assignments = await plane.intake.claim(executor, 2);
      same('claim', assignments.length, due ? 1 : 0);
      const [assignment] = assignments;
      if (assignment !== undefined) model.claim(assignment.lease);
    },
  ],
  [
    4,
    async (world) => {
      const lease = anyLease(world);
      if (lease === undefined) return;
      world.same('acknowledge', await world.plane.intake.acknowledge(lease), world.model.acknowledge(lease));
    },
  ],
  [
    3,
    async (world) => {
      const lease = anyLease(world);
      if (lease === undefined) return;
      const reply = await world.plane.intake.heartbeat(world.executor, [lease]);
      const wanted = world.model.heartbeat(lease);
      world.same('heartbeat', reply.leases[0]?.outcome, wanted);
      const cancelled = wanted === 'ACCEPTED' && world.model.status === 'cancelling';
      world.same('cancels', reply.cancels.length, cancelled ? 1 : 0);
    },
  ],
  [
    5,
    async (world) => {
      const lease = anyLease(world);
      if (lease === undefined) return;
      const acked = world.model.acked.get(lease.attempt) ?? 0;
      const first = Math.max(1, acked + 1 + Math.floor(world.random() * 6) - 3);
      const last = first + Math.floor(world.random() * 4);
      const ack = await world.plane.intake.appendLogs(frameOf(batchOf(lease, first, last)));
      const wanted = world.model.append(lease, first, last);
      const { outcome, acked_seq, resend_from } = ack;
      const stale = wanted.outcome === 'STALE_LEASE';
      world.same(
        `append ${first}-${last}`,
        { outcome, acked_seq: stale ? 0 : acked_seq, resend_from },
        wanted,
      );
    },
  ],
  [
    2,
    async (world) => {
      const lease = anyLease(world);
      if (lease === undefined) return;
      const failed = world.random() < 0.5;
      const completion = completionOf(lease, failed ? { ...FAILED, retryable: true } : {});
      for (const time of ['once', 'twice'])
        world.same(
          `complete ${time}`,
          await world.plane.intake.complete(completion),
          world.model.complete(lease, failed),
        );
    },
  ],
  [
    4,
    async ({ plane, model, random, same, runId }) => {
      const ms = PASSES_MS[Math.floor(random() * PASSES_MS.length)] ?? 0;
      await passTime(plane.store, ms);
      model.now += ms;
      model.sweep();
      await plane.sweeper.sweep(true);
      same('after the sweep', (await mustRun(plane.store, runId)).status, model.status);
    },
  ],
  [
    1,
    async ({ plane, model, random, runId, same }) => {
      const graceMs = random() < 0.5 ? 10_000 : 205_000;
      const active = model.status === 'queued' || model.leased;
      const done = await plane.runs.cancel(runId, { mode: 'graceful', graceMs }, OPERATOR).then(
        () => true,
        () => false,
      );
      same('cancel', done, active);
      if (done) model.cancel(graceMs);
    },
  ],
];
/** Each step as often as it weighs. */
const DECK = STEPS.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

async function playSequence(plane: Plane, executor: ExecutorIdentity, seed: number): Promise<void> {
  const random = randomOf(seed);
  const same = (what: string, found: unknown, wanted: unknown) => {
    const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (left !== right)
      throw new Error(`HEADGATE_TEST_SEED=${seed}: ${what} gave ${left}, the model says ${right}`);
  };
  const runId = await queueRun(plane.store, { retry: RETRY });
  const model = new RunModel();
  const world: World = { plane, executor, model, runId, random, same };
  for (let count = 0; count < STEPS_MAX; count++) {
    await DECK[Math.floor(random() * DECK.length)]?.(world);
  }
  const run = await mustRun(plane.store, runId);
  same('the end', [run.status, run.attempt, run.epoch], [model.status, model.attempt, model.epoch]);
  await retire(plane.store, runId);
}

/** Out of the queue and out of the sweep, so that the next sequence has its run alone. Ended as a user would. */
async function retire(store: Store, runId: number): Promise<void> {
  await store.write(async (tx) => {
    await tx.deleteFrom('runs').where('id', '=', runId).where('ended_at', 'is', null).execute();
  });
}

await eachStore(t, `the server does as the model in ${SEQUENCES} random sequences`, async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const given = process.env['HEADGATE_TEST_SEED'];
  const base = given === undefined ? Math.floor(Math.random() * 1e9) : Number(given);
  const began = performance.now();
  const wanted = given === undefined ? SEQUENCES : 1;
  let played = 0;
  for (; played < wanted && performance.now() - began < BUDGET_MS; played++) {
    await playSequence(plane, executor, base + played);
    if (played % 50 === 0) await checkHistory(store.read);
  }
  await checkHistory(store.read);
  await checkLogs(store.logs);
  t.ok(played >= Math.min(wanted, SEQUENCES_MIN), `${played} sequences from seed ${base}`);
});
