import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { selectMarked } from '../../../src/modules/deletions/deletion-store.ts';
import { decideNodes, rollUp } from '../../../src/modules/job-runs/job-run.ts';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import { storedArgs } from '../../../src/modules/runs/run.ts';
import { runRows } from '../../../src/modules/runs/run-rows.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { NodeInfo } from '../../../src/threads/messages/definition-info.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore, storeSettings } from '../../support/stores.ts';
import { claimOne, completionOf, FAILED, newExecutor, OPERATOR, openPlane, passTime } from '../runs/plane.ts';
import { MANUAL, newJob, nodeOf, nodesOf, templateOf, work } from './job.ts';

async function statusOf(store: Store, id: number): Promise<string | undefined> {
  return (await selectJobRun(store.read, id))?.status;
}

await eachStore(t, 'nodes run level by level, and their job run with them', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [
    nodeOf('a'),
    nodeOf('b', ['a']),
    nodeOf('c', ['a']),
    nodeOf('d', ['b', 'c'], { when: '$count(x) > 0', argsSource: { n: '{{ 1 }}' }, timeoutMs: 5_000 }),
  ]);
  const started = await plane.jobRuns.start(job, { ...MANUAL, args: { day: 1 } }, OPERATOR);
  t.equal(started.status, 'queued');
  const lease = await claimOne(plane, executor);
  await plane.intake.acknowledge(lease);
  t.equal(await statusOf(store, started.id), 'running');
  t.same(await nodesOf(store, started.id), { a: 'running' });
  await plane.intake.complete(completionOf(lease));
  t.same(await work(plane, executor), ['b', 'c', 'd']);
  t.equal(await statusOf(store, started.id), 'success');
  const d = await runRows(store.read).where('task_key', '=', 'd').executeTakeFirstOrThrow();
  t.match(d, {
    yaml_content: 'yaml of d',
    timeout_ms: 5_000,
    connectors_json: '{"db":7}',
    connector_types: ',sqlite,',
  });
  t.same(storedArgs(d), { values: { day: 1 }, template: { n: '{{ 1 }}' }, when: '$count(x) > 0' });
  t.same(JSON.parse(d.config_json), { color: 'red' });
  await checkHistory(store.read);
});

await eachStore(t, 'what follows a failed node is skipped, through all levels', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [
    nodeOf('a'),
    nodeOf('b', ['a']),
    nodeOf('c', ['b']),
    nodeOf('always', ['c'], { runIf: 'all_done' }),
    nodeOf('rescue', ['a'], { runIf: 'any_failed' }),
    nodeOf('unhurt', ['c'], { runIf: 'none_failed' }),
    nodeOf('side'),
  ]);
  const { id } = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await work(plane, executor, ['a']);
  t.same(await nodesOf(store, id), {
    a: 'error',
    b: 'skipped/upstream_failed',
    c: 'skipped/upstream_failed',
    always: 'success',
    rescue: 'success',
    unhurt: 'skipped/upstream_failed',
    side: 'success',
  });
  t.equal(await statusOf(store, id), 'error');
  await checkHistory(store.read);
});

await eachStore(t, 'a failure that is allowed is a warning, and others go on', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const nodes = [
    nodeOf('a', [], { allowFailure: true }),
    nodeOf('b', ['a']),
    nodeOf('never', ['b'], { runIf: 'any_failed' }),
  ];
  const { id } = await plane.jobRuns.start(await newJob(store, nodes), MANUAL, OPERATOR);
  await work(plane, executor, ['a']);
  t.same(await nodesOf(store, id), { a: 'error', b: 'success', never: 'skipped/condition_false' });
  t.equal(await statusOf(store, id), 'warning');
  await checkHistory(store.read);
});

await eachStore(t, 'cancelling a job run ends queued nodes at once and asks the others', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [nodeOf('a'), nodeOf('b'), nodeOf('c', ['a', 'b'])]);
  const { id } = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  const lease = await claimOne(plane, executor);
  await plane.intake.acknowledge(lease);
  const request = { mode: 'graceful', graceMs: 5_000 } as const;
  const row = await plane.jobRuns.cancel(id, request, OPERATOR);
  const { cancels } = plane;
  t.equal(row.status, 'cancelling');
  t.match(cancels, [{ executorId: executor.executor_id, cancel: { run_id: lease.run_id, grace_ms: 5_000 } }]);
  t.same(await nodesOf(store, id), { a: 'cancelling', b: 'cancelled' });
  await t.rejects(plane.jobRuns.remove(id, OPERATOR), { code: 'VALIDATION_ERROR' });
  await plane.intake.complete(completionOf(lease));
  t.same(await nodesOf(store, id), { a: 'success', b: 'cancelled' }, 'no further node starts');
  t.equal(await statusOf(store, id), 'cancelled');
  await t.rejects(plane.jobRuns.cancel(id, request, OPERATOR), { code: 'CONFLICT' });
  const waiting = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await plane.jobRuns.cancel(waiting.id, request, OPERATOR);
  t.equal(await statusOf(store, waiting.id), 'cancelled', 'nothing had begun');
  await plane.jobRuns.remove(id, OPERATOR);
  t.same(await nodesOf(store, id), {});
  t.equal((await selectMarked(store.read, 'run', 10)).length, 2, 'what they have left is to be deleted');
  await checkHistory(store.read);
});

await eachStore(t, 'a job run keeps to what its job was when it started', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [nodeOf('a'), nodeOf('b', ['a'])]);
  const { id } = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await store.write(async (tx) => {
    await tx
      .updateTable('jobs')
      .set({
        parsed_json: JSON.stringify(templateOf([nodeOf('other')])),
        config_json: '{}',
        connector_mapping_json: '{"db":8}',
      })
      .execute();
    await tx.deleteFrom('job_tasks').execute();
    await tx.updateTable('task_versions').set({ yaml_content: 'changed' }).execute();
    await tx.updateTable('tasks').set({ version: 2, connectors_json: '{}' }).execute();
  });
  t.same(await work(plane, executor), ['a', 'b']);
  const b = await runRows(store.read).where('task_key', '=', 'b').executeTakeFirstOrThrow();
  t.match(b, { yaml_content: 'yaml of b', task_version: 1, connectors_json: '{"db":7}' });
  t.same(JSON.parse(b.config_json), { color: 'red' });
  t.equal(await statusOf(store, id), 'success');
  await checkHistory(store.read);
});

await eachStore(
  t,
  'a run of a job run that goes on cannot be deleted, or it would start again',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const { id } = await plane.jobRuns.start(
      await newJob(store, [nodeOf('a'), nodeOf('b')]),
      MANUAL,
      OPERATOR,
    );
    const lease = await claimOne(plane, executor);
    await plane.intake.complete(completionOf(lease));
    await t.rejects(plane.runs.remove(lease.run_id, OPERATOR), { code: 'VALIDATION_ERROR' });
    await work(plane, executor);
    await plane.runs.remove(lease.run_id, OPERATOR);
    t.equal(await statusOf(store, id), 'success');
  },
);

await eachStore(t, 'a lost node ends its job run', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const { id } = await plane.jobRuns.start(
    await newJob(store, [nodeOf('a'), nodeOf('b', ['a'])]),
    MANUAL,
    OPERATOR,
  );
  for (let attempt = 0; attempt < 3; attempt++) {
    // After a second loss it waits.
    await passTime(store, 10_000);
    await plane.intake.acknowledge(await claimOne(plane, executor));
    await passTime(store, 91_000);
    await plane.sweeper.sweep(true);
  }
  t.same(await nodesOf(store, id), { a: 'error', b: 'skipped/upstream_failed' });
  t.equal(await statusOf(store, id), 'error');
  await checkHistory(store.read);
});

t.test('two nodes that end at one instant start what joins them once (postgres)', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  const [one, two] = await Promise.all([
    openStore(settings, silentLogger),
    openStore(settings, silentLogger),
  ]);
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const [left, right] = [openPlane(t, one), openPlane(t, two)];
  const executor = await newExecutor(left);
  const job = await newJob(one, [nodeOf('a'), nodeOf('b'), nodeOf('join', ['a', 'b'])]);
  for (let round = 0; round < 50; round++) {
    const { id } = await left.jobRuns.start(job, MANUAL, OPERATOR);
    const leases = (await left.intake.claim(executor, 2)).map((assignment) => assignment.lease);
    const [a, b] = leases;
    if (a === undefined || b === undefined) return t.fail('both nodes should be queued');
    for (const lease of leases) await left.intake.acknowledge(lease);
    const failure = round % 5 === 4 ? FAILED : {};
    // A cancel of everything joins the race now and then: the locks have one order.
    const request = { mode: 'force', graceMs: 0 } as const;
    const third = round % 10 === 7 ? right.jobRuns.cancel(id, request, OPERATOR) : null;
    await Promise.all([
      left.intake.complete(completionOf(a)),
      right.intake.complete(completionOf(b, failure)),
      right.intake.heartbeat(executor, leases),
      third?.catch(() => undefined),
    ]);
    const nodes = await nodesOf(one, id);
    if (third !== null) t.notOk(Object.values(nodes).includes('queued'), 'nothing starts after a cancel');
    else t.equal(nodes['join'], failure === FAILED ? 'skipped/upstream_failed' : 'queued');
    await work(left, executor);
  }
  await checkHistory(one.read);
});

t.test('the roll-up: failed before cancelled before warning', async (t) => {
  const parsed = templateOf([nodeOf('a'), nodeOf('b')]);
  const states = (a: string, b: string) =>
    new Map([
      ['a', { status: a, reason: 'manual' }],
      ['b', { status: b, reason: 'manual' }],
    ]);
  t.equal(rollUp(parsed, states('success', 'running')), null);
  t.equal(rollUp(parsed, new Map()), null);
  t.equal(rollUp(parsed, states('error', 'cancelled')), 'error');
  t.equal(rollUp(parsed, states('cancelled', 'warning')), 'cancelled');
  t.equal(rollUp(parsed, states('warning', 'success')), 'warning');
  t.equal(rollUp(parsed, states('skipped', 'success')), 'success');
});

t.test('which nodes may run', async (t) => {
  const decided = (runIf: NodeInfo['runIf'], status: string, reason = 'manual') => {
    const parsed = templateOf([nodeOf('a'), nodeOf('b', ['a'], { runIf })]);
    return decideNodes(parsed, new Map([['a', { status, reason }]]))[0]?.skip;
  };
  t.equal(decided('all_success', 'running'), undefined);
  t.equal(decided('all_success', 'warning'), null);
  t.equal(decided('all_success', 'skipped', 'condition_false'), 'condition_false');
  t.equal(decided('all_success', 'skipped', 'upstream_failed'), 'upstream_failed');
  t.equal(decided('all_done', 'cancelled'), null);
  t.equal(decided('any_failed', 'success'), 'condition_false');
  t.equal(decided('any_failed', 'cancelled'), null);
  t.equal(decided('none_failed', 'skipped', 'condition_false'), null);
  t.equal(decided('none_failed', 'error'), 'upstream_failed');
});
