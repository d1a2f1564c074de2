import t from 'tap';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { startFullApp } from '../../support/full-app.ts';
import { makeOneOfEach } from '../../support/one-of-each.ts';
import { drawnKinds } from '../../support/stores.ts';

for (const kind of drawnKinds(t)) {
  t.test(
    `an executor reads the rows of a replay over HTTP, with that run's lease alone (${kind})`,
    async (t) => {
      const full = await startFullApp(t, kind);
      const { visitor: root } = await full.superadmin();
      const { values, executor } = await makeOneOfEach(full, root);
      const replayed = await root.post<{ runs: { id: number }[] }>(
        `/api/runs/${values.get('runs')}/dead-letters/replay`,
        {},
      );
      t.match(replayed, { status: 201 }, replayed.text);
      const { body } = await executor.post<{ assignments: { lease: Lease }[] }>(
        `/api/executors/${values.get('executors')}/next?wait=5`,
        { credits: 5 },
      );
      const runId = replayed.body.runs[0]?.id;
      const lease = body.assignments.find((given) => given.lease.run_id === runId)?.lease;
      if (lease === undefined) return t.fail('the replay was not assigned');
      const headers = {
        'x-lease-attempt': String(lease.attempt),
        'x-lease-epoch': String(lease.epoch),
        'x-lease-token': lease.token,
      };
      const path = `/api/executor-callbacks/runs/${runId}/replay-rows`;
      const rows = await executor.get(path, headers);
      t.match(rows, { status: 200, body: { outcome: 'ACCEPTED', value: { rows: [{ item: { a: 1 } }] } } });
      const stranger = await executor.get(path, { ...headers, 'x-lease-token': 'another' });
      t.notMatch(stranger.text, /ACCEPTED|"a":1/, 'another token is given no row');
      t.same(full.openapi.breaches, []);
    },
  );
}
