import t, { type Test } from 'tap';
import type { EndedPart, PartsAnswer, PartsAsk } from '../../../src/base/run-parts.ts';
import { selectParts } from '../../../src/modules/runs/parts/run-part-store.ts';
import { selectRuns } from '../../../src/modules/runs/run-store.ts';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import type { Store } from '../../../src/store/store.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore } from '../../support/stores.ts';
import {
  claimOne,
  completionOf,
  FAILED,
  mustRun,
  newExecutor,
  OPERATOR,
  openPlane,
  passTime,
  startedRun,
} from './plane.ts';

const ORDER = { scope: { args: { day: 1 } } };
const offer = (parts: number, helpers: number) => ({
  digest: 'd',
  labels: Array.from({ length: parts }, (_, index) => `part ${index + 1}`),
  helpers,
  order: ORDER,
});

/** A run that has offered parts, and an executor that may help. */
async function scene(t: Test, store: Store, parts: number, helpers: number) {
  const plane = openPlane(t, store);
  const features = ['parts'];
  const own = await newExecutor(plane, { features });
  const other = await newExecutor(plane, { features, name: 'other' });
  const lease = await startedRun(plane, own, { config: { a: 1 }, connectors: { db: 4 }, labels: {} });
  async function ask(of: Lease, over: Partial<PartsAsk>): Promise<PartsAnswer> {
    const question = { step_id: 'read', holding: [], offer: null, ended: null, wants: false, ...over };
    const answer = await plane.intake.parts({ lease: of, ...question });
    if (answer.outcome !== 'ACCEPTED') throw new Error(answer.outcome);
    return answer.value;
  }
  const take = (of: Lease, holding: readonly number[] = []) => ask(of, { holding, wants: true });
  const end = (
    of: Lease,
    part: PartsAnswer['part'],
    over: Partial<EndedPart> = {},
    holding: readonly number[] = [],
  ) =>
    ask(of, {
      holding,
      ended: { number: part?.number ?? 0, take: part?.take ?? 0, rows: 5, error: '', steps: [], ...over },
    });
  async function helper(): Promise<Lease> {
    const helping = await claimOne(plane, other);
    await plane.intake.acknowledge(helping);
    return helping;
  }
  await ask(lease, { offer: offer(parts, helpers) });
  const states = async () =>
    (await selectParts(store.read, lease.run_id)).map(({ state, holder_run_id }) =>
      state === 'open' ? 'open' : `${state} by ${holder_run_id === lease.run_id ? 'run' : 'helper'}`,
    );
  return { plane, own, other, lease, ask, take, end, helper, states };
}

await eachStore(t, 'parts go to the run and to those that help it, each to one', async (t, store) => {
  const { plane, lease, take, end, helper, states, other } = await scene(t, store, 3, 2);
  const helping = await helper();
  const spec = await plane.intake.runSpec(helping);
  t.match(spec, {
    value: {
      job_config: { a: 1 },
      keeps_parts: true,
      help: { run_id: lease.run_id, attempt: 1, step_id: 'read', order: ORDER },
    },
  });
  t.match(await plane.intake.runSpec(lease), { value: { help: null } });
  const [one, two] = [await take(lease), await take(helping)];
  t.same([one.part?.number, two.part?.number], [1, 2]);
  t.same(await states(), ['taken by run', 'taken by helper', 'open']);
  t.match(await end(helping, two.part, { rows: 7 }), { left: 2, is_closed: false });
  const three = await take(helping);
  t.match(await end(lease, one.part), { left: 1, others: [] });
  t.match(await take(lease), { part: null, left: 1, is_closed: false }, 'the last one is the other’s');
  await end(helping, three.part);
  t.match(await take(lease), {
    part: null,
    left: 0,
    is_closed: true,
    others: [
      { number: 2, rows: 7 },
      { number: 3, rows: 5 },
    ],
  });
  const listed = await selectRuns(
    store.read,
    {},
    { column: 'id', descending: true, after: null, limit: 50, bound: '' },
  );
  t.same(
    listed.map(({ id }) => id),
    [lease.run_id],
    'lists leave out those that help',
  );
  await plane.intake.complete(completionOf(lease));
  t.match(await mustRun(store, helping.run_id), { status: 'cancelling', reason: 'parts' });
  const { cancels } = await plane.intake.heartbeat(other, [helping]);
  t.match(cancels, [{ run_id: helping.run_id }]);
  t.same(await plane.intake.claim(other, 5), [], 'who has not begun to help never does');
  await plane.intake.complete(completionOf(helping, { status: 'cancelled', reason: 'user' }));
  await checkHistory(store.read);
});

await eachStore(
  t,
  'an executor that cannot take parts is given none, and whole runs come first',
  async (t, store) => {
    const { plane } = await scene(t, store, 4, 3);
    const old = await newExecutor(plane, { features: ['replay', 'run_task'], name: 'old' });
    t.same(await plane.intake.claim(old, 5), []);
    const able = await newExecutor(plane, { features: ['parts'], name: 'able' });
    const whole = await startedRun(plane, able, { priority: -100 });
    t.match(await mustRun(store, whole.run_id), { helps_run_id: null });
  },
);

await eachStore(
  t,
  'a part whose holder has lost its lease is taken again, and counts once',
  async (t, store) => {
    const { plane, own, lease, take, end, helper, states } = await scene(t, store, 2, 1);
    const helping = await helper();
    const lost = await take(helping);
    const mine = await take(lease);
    t.match(await take(lease, [2]), { part: null, left: 2 });
    await passTime(store, 60_000);
    await plane.intake.heartbeat(own, [lease]);
    const again = await take(lease, [2]);
    t.match(again.part, { number: 1, take: 2 });
    t.match(await end(helping, lost.part), { left: 2 }, 'it comes back, and nobody listens');
    t.same(await states(), ['taken by run', 'taken by run']);
    await end(lease, again.part, {}, [2]);
    t.match(await end(lease, mine.part), { left: 0, is_closed: true, others: [] });
    t.match(await take(helping), { part: null, is_closed: true });
  },
);

await eachStore(
  t,
  'a lost answer costs no part, and the same question again does no harm',
  async (t, store) => {
    const { lease, take, end } = await scene(t, store, 2, 0);
    t.match(await take(lease), { part: { number: 1, take: 1 } });
    const again = await take(lease);
    t.match(again, { part: { number: 1, take: 2 } }, 'it does not hold the part, so it is open');
    await end(lease, again.part);
    t.match(await end(lease, again.part), { left: 1 });
    const two = await take(lease);
    t.match(await end(lease, { number: 2, take: 7 }, {}, [2]), { left: 1 }, 'a take that never was');
    t.match(await end(lease, two.part), { left: 0 });
  },
);

await eachStore(t, 'what fails elsewhere goes back to the run, whose failure is final', async (t, store) => {
  const { lease, take, end, helper } = await scene(t, store, 2, 1);
  const helping = await helper();
  const failed = await take(helping);
  t.match(await end(helping, failed.part, { error: 'cannot reach it' }), { left: 2, is_closed: false });
  const next = await take(helping);
  t.equal(next.part?.number, 2, 'a helper does not try it again');
  const own = await take(lease);
  t.equal(own.part?.number, 1);
  t.match(await end(lease, own.part, { error: 'nor can I' }), { left: 2, is_closed: true });
  t.match(await end(helping, next.part), { is_closed: true, part: null });
  t.match(await selectParts(store.read, lease.run_id), [{ state: 'failed', error: 'nor can I' }, {}]);
});

await eachStore(
  t,
  'the next attempt of a run begins anew, without those that helped the one before',
  async (t, store) => {
    const { plane, own, lease, take, end, helper, ask, states } = await scene(t, store, 3, 2);
    const helping = await helper();
    const part = await take(helping);
    await plane.intake.complete(completionOf(lease, { ...FAILED, retryable: true, reason: 'executor_lost' }));
    t.match(await mustRun(store, lease.run_id), { status: 'queued' });
    t.match(await end(helping, part.part), { is_closed: true, part: null }, 'its run has no lease');
    t.match((await plane.intake.runSpec(helping)) as object, { value: { help: { order: null } } });
    const next = await claimOne(plane, own);
    t.equal(next.run_id, lease.run_id, 'a whole run comes before those that help');
    await plane.intake.acknowledge(next);
    t.match(await take(next), { is_closed: true }, 'parts of an earlier attempt are not its own');
    await ask(next, { offer: offer(3, 1) });
    t.same(await states(), ['open', 'open', 'open']);
    t.match(await mustRun(store, helping.run_id), { status: 'cancelling' });
    t.match(await take(helping), { is_closed: true, part: null });
    const taken = await take(next);
    t.ok((taken.part?.take ?? 0) > (part.part?.take ?? 0), 'takes count on, so that an old one fits nothing');
    t.match(await end(helping, part.part), { is_closed: true });
  },
);

await eachStore(
  t,
  'a cancelled run gives out nothing more, and a deleted one leaves nothing',
  async (t, store) => {
    const { plane, lease, take, helper } = await scene(t, store, 3, 1);
    const helping = await helper();
    await take(helping);
    await plane.runs.cancel(lease.run_id, { mode: 'graceful', graceMs: 20_000 }, OPERATOR);
    t.match(await take(helping), { is_closed: true, part: null });
    await plane.intake.complete(completionOf(lease, { status: 'cancelled', reason: 'user' }));
    t.match(await mustRun(store, helping.run_id), { status: 'cancelling' });
    await plane.intake.complete(completionOf(helping, { status: 'cancelled', reason: 'user' }));
    await plane.runs.remove(lease.run_id, OPERATOR);
    t.equal(await plane.intake.acknowledge(helping), 'RUN_ABSENT');
    await plane.deletions.deleteAll();
    t.same(await selectParts(store.read, lease.run_id), []);
  },
);
