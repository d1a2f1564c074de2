import t from 'tap';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { startFullApp } from '../../support/full-app.ts';
import { makeOneOfEach } from '../../support/one-of-each.ts';
import { drawnKinds } from '../../support/stores.ts';

for (const kind of drawnKinds(t)) {
  t.test(
    `parts are offered, taken and ended over HTTP, and the record of the run shows them (${kind})`,
    async (t) => {
      const full = await startFullApp(t, kind);
      const { visitor: root } = await full.superadmin();
      const { values, executor } = await makeOneOfEach(full, root);
      const started = await root.post<{ id: number }>(`/api/tasks/${values.get('tasks')}/runs`, {
        connectors: { shop: Number(values.get('connectors')) },
      });
      t.match(started, { status: 201 }, started.text);
      const next = () =>
        executor.post<{ assignments: { lease: Lease }[] }>(
          `/api/executors/${values.get('executors')}/next?wait=5`,
          { credits: 5 },
        );
      const runId = started.body.id;
      const lease = (await next()).body.assignments.find((given) => given.lease.run_id === runId)?.lease;
      if (lease === undefined) return t.fail('the run was not assigned');
      await executor.post(`/api/executor-callbacks/runs/${runId}/start`, { lease });
      const path = `/api/executor-callbacks/runs/${runId}/parts`;
      const ask = { step_id: 'read', holding: [], offer: null, ended: null, wants: false };
      const offer = { digest: 'd', labels: ['id < 5', 'id >= 5'], helpers: 1, order: { a: 1 } };
      const taken = await executor.post(path, { ...ask, lease, offer, wants: true });
      const part = { number: 1, take: 1 };
      t.match(taken, { status: 200, body: { outcome: 'ACCEPTED', value: { part, left: 2 } } }, taken.text);
      const ended = { ...part, rows: 3, error: '', steps: [] };
      t.match(await executor.post(path, { ...ask, lease, ended }), { body: { value: { left: 1 } } });
      const shown = await root.get<{ result: unknown[] }>(`/api/runs/${runId}/parts`);
      t.match(shown.body.result, [
        { number: 1, label: 'id < 5', state: 'staged', rows: 3, run_id: runId, attempts: 1, error: null },
        {
          number: 2,
          label: 'id >= 5',
          state: 'open',
          rows: 0,
          run_id: null,
          executor: null,
          started_at: null,
        },
      ]);
      t.match(await root.get('/api/runs/999999/parts'), { status: 404 });
      const stranger = await executor.post(path, {
        ...ask,
        lease: { ...lease, token: 'another' },
        wants: true,
      });
      t.notMatch(stranger.text, /ACCEPTED/, 'another token is given no part');
      t.match(
        await executor.post(path, { ...ask, lease: { ...lease, run_id: runId + 1 } }),
        { status: 400 },
        'the lease of another run than the path names',
      );
      t.same(full.openapi.breaches, []);
    },
  );
}
