import { recordSession } from '../support/recorded-session.ts';
import { completionOf, REGISTER_REQUEST } from '../support/samples.ts';
import { leased, type Scenario } from './scenario.ts';

export function holderScenarios(scenario: Scenario): void {
  scenario(
    'the lease of another executor is stale, however one came by it',
    async (t, plane, client, server) => {
      const run = await leased(plane);
      const { lease } = run;
      const other = server.client();
      try {
        await other.register({ ...REGISTER_REQUEST, instance_id: 'another' });
        plane.calls.length = 0;
        t.same(await other.runSpec(lease), { outcome: 'STALE_LEASE' });
        t.same(await other.replayRows(lease, 0), { outcome: 'STALE_LEASE' });
        t.same(await other.checkpoint(lease, 'cursor'), { outcome: 'STALE_LEASE' });
        const save = { lease, name: 'cursor', value: 1, expected_version: 0 };
        t.same(await other.saveCheckpoint(save), { outcome: 'STALE_LEASE' });
        const ask = { step_id: 'read', holding: [], offer: null, ended: null, wants: true };
        t.same(await other.parts({ lease, ...ask }), { outcome: 'STALE_LEASE' });
        const letter = { step_id: 'load', item: {}, code: 'X', message: 'no' };
        t.match(await other.putDeadLetters({ lease, first_seq: 1, items: [letter] }), {
          outcome: 'STALE_LEASE',
        });
        const metric = { name: 'task.items', kind: 'counter', value: 3, tags: {}, at: 1 } as const;
        t.match(await other.reportMetrics({ lease, batch_seq: 1, metrics: [metric] }), {
          outcome: 'STALE_LEASE',
        });
        const line = { at: 1, level: 2, step_id: 'load', message: 'not mine', fields_json: '' };
        await t.rejects(other.appendLogs({ lease, first_seq: 1, lines: [line] }), {
          message: /another executor/,
        });

        const recorded = recordSession(other, [lease]);
        t.match(await recorded.nth('onAttached'), [{ outcome: 'STALE_LEASE' }]);
        recorded.session.acknowledge(lease);
        t.match(await recorded.nth('onAcknowledged'), { outcome: 'STALE_LEASE' });
        recorded.session.heartbeat([lease]);
        t.match(await recorded.nth('onHeartbeat'), { leases: [{ outcome: 'STALE_LEASE' }] });
        const figures = {
          step_id: 'load',
          rows_in: 5,
          rows_out: 4,
          rows_failed: 1,
          rows_per_second: 1,
          ratio: -1,
        };
        recorded.session.progress({ lease, ...figures });
        recorded.session.complete(completionOf(lease));
        t.match(await recorded.nth('onCompleted'), { outcome: 'STALE_LEASE' });
        recorded.session.close();
        await recorded.nth('onClosed');
      } finally {
        await other.close();
      }
      const { completion, lines, progress, deadLetters, status } = run;
      t.same([completion, lines, progress, deadLetters, status], [null, [], [], [], 'assigned']);
      t.same([run.metrics.size, run.checkpoints.size], [0, 0]);
      t.match(await client.runSpec(lease), { outcome: 'ACCEPTED' }, 'to its holder it is as before');
      t.match(
        await client.appendLogs({
          lease,
          first_seq: 1,
          lines: [{ at: 1, level: 2, step_id: '', message: 'mine', fields_json: '' }],
        }),
        { acked_seq: 1 },
      );
    },
  );
}
