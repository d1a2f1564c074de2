import { AppError } from '../../../src/base/errors.ts';
import { eventually, eventuallyAttached, recordSession } from '../support/recorded-session.ts';
import { completionOf, LIMITS } from '../support/samples.ts';
import { leased, type Scenario } from './scenario.ts';

export function sessionScenarios(scenario: Scenario): void {
  scenario('a run goes from the queue to its completion', async (t, plane, client) => {
    const recorded = recordSession(client);
    t.same(await recorded.nth('onAttached'), []);
    recorded.session.credits(1);
    const run = plane.enqueue({ task_name: 'sync-orders' });
    const { lease, task_name, lease_ttl_ms } = await recorded.nth('onAssignment');
    t.same(lease, run.lease);
    t.same([task_name, lease_ttl_ms], ['sync-orders', LIMITS.lease_ttl_ms]);
    const { run_id, attempt } = lease;
    recorded.session.acknowledge(lease);
    t.same(await recorded.nth('onAcknowledged'), { run_id, attempt, outcome: 'ACCEPTED' });
    t.equal(run.status, 'running');
    recorded.session.heartbeat([lease]);
    const reply = { leases: [{ run_id, attempt, outcome: 'ACCEPTED' }], cancels: [] };
    t.same(await recorded.nth('onHeartbeat'), reply);
    const progress = { lease, step_id: 'load', rows_in: 5, rows_out: 4, rows_failed: 1 };
    recorded.session.progress({ ...progress, rows_per_second: 12.5, ratio: -1 });
    recorded.session.complete(completionOf(lease));
    t.same(await recorded.nth('onCompleted'), { run_id, attempt, outcome: 'ACCEPTED' });
    t.same(run.completion, completionOf(lease));
    t.same(run.progress, [{ ...progress, rows_per_second: 12.5, ratio: -1 }]);
    recorded.session.complete(completionOf(lease));
    t.equal((await recorded.nth('onCompleted', 1)).outcome, 'ALREADY_DONE');
    recorded.session.close();
    t.equal(await recorded.nth('onClosed'), null);
  });

  scenario('a completion without failure and outputs arrives as such', async (t, plane, client) => {
    const run = await leased(plane);
    const recorded = recordSession(client, [run.lease]);
    const completion = { ...completionOf(run.lease), failure: null, outputs: null, steps: [] };
    recorded.session.complete(completion);
    await recorded.nth('onCompleted');
    t.same(run.completion, completion);
    recorded.session.close();
    await recorded.nth('onClosed');
  });

  scenario('no more runs are assigned than there are credits', async (t, plane, client) => {
    for (let n = 0; n < 5; n += 1) plane.enqueue();
    const recorded = recordSession(client);
    await recorded.nth('onAttached');
    recorded.session.credits(2);
    await recorded.nth('onAssignment', 1);
    recorded.session.heartbeat([]);
    await recorded.nth('onHeartbeat');
    t.equal(recorded.all('onAssignment').length, 2);
    for (const { lease } of recorded.all('onAssignment')) recorded.session.acknowledge(lease);
    recorded.session.credits(3);
    await recorded.nth('onAssignment', 4);
    const ids = recorded.all('onAssignment').map(({ lease }) => lease.run_id);
    t.same(ids, [1, 2, 3, 4, 5], 'first in, first out');
    recorded.session.close();
    await recorded.nth('onClosed');
  });

  scenario('a cancel is pushed, and repeated in heartbeat replies', async (t, plane, client) => {
    const run = await leased(plane);
    const recorded = recordSession(client, [run.lease]);
    await recorded.nth('onAttached');
    await eventually('the subscription', () => plane.listeners() > 0);
    plane.cancel(run);
    t.same(await recorded.nth('onCancel'), run.cancel);
    recorded.session.heartbeat([run.lease]);
    t.same((await recorded.nth('onHeartbeat')).cancels, [run.cancel]);
    recorded.session.close();
    await recorded.nth('onClosed');
  });

  scenario('attaching tells what became of each lease', async (t, plane, client) => {
    const [kept, lost] = [await leased(plane), await leased(plane)];
    const lostLease = lost.lease;
    plane.requeue(lost);
    const absent = { run_id: 99, attempt: 1, epoch: 1, token: 'x' };
    const recorded = recordSession(client, [kept.lease, lostLease, absent]);
    const outcomes = (await recorded.nth('onAttached')).map(({ outcome }) => outcome);
    t.same(outcomes, ['ACCEPTED', 'STALE_LEASE', 'RUN_ABSENT']);
    recorded.session.close();
    await recorded.nth('onClosed');
  });

  scenario('draining is confirmed and ends assignments', async (t, plane, client) => {
    const recorded = recordSession(client);
    recorded.session.drain();
    await recorded.nth('onDrained');
    recorded.session.credits(4);
    plane.enqueue();
    recorded.session.heartbeat([]);
    await recorded.nth('onHeartbeat');
    t.same(recorded.all('onAssignment'), []);
    recorded.session.close();
    await recorded.nth('onClosed');
    t.equal(recorded.told.filter(({ handler }) => handler === 'onClosed').length, 1);
  });

  scenario('messages after close are dropped, and close comes once', async (t, plane, client) => {
    const run = await leased(plane);
    const recorded = recordSession(client);
    await recorded.nth('onAttached');
    recorded.session.close();
    recorded.session.complete(completionOf(run.lease));
    recorded.session.close();
    t.equal(await recorded.nth('onClosed'), null);
    recorded.session.heartbeat([]);
    t.equal(run.completion, null);
    t.equal(recorded.all('onClosed').length, 1);
  });

  scenario(
    'a broken connection closes the session with an error; another can be opened',
    async (t, plane, client, server) => {
      const recorded = recordSession(client);
      await recorded.nth('onAttached');
      server.breakConnections();
      t.ok((await recorded.nth('onClosed')) instanceof AppError);
      await eventually('the unsubscription', () => plane.listeners() === 0);
      const again = await eventuallyAttached(client);
      again.session.close();
      t.equal(await again.nth('onClosed'), null);
    },
  );
}
