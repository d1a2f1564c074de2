import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { makeOneOfEach } from '../../support/one-of-each.ts';
import { drawnKinds } from '../../support/stores.ts';

for (const kind of drawnKinds(t)) {
  t.test(`an executor that drains is given no more; one that has left is unknown (${kind})`, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor: root } = await full.superadmin();
    const one = await makeOneOfEach(full, root);
    const { executor, values } = one;
    const own = `/api/executors/${values.get('executors')}`;
    const next = () => executor.post<{ assignments: object[] }>(`${own}/next?wait=0`, { credits: 5 });
    const beat = () => executor.post<{ cancels: object[] }>(`${own}/heartbeat`, { leases: [] });
    const enqueue = () =>
      root.post(`/api/tasks/${values.get('tasks')}/runs`, one.bodies.get('POST /api/tasks/{id}/runs'));

    t.match(await executor.post(`${own}/drain`), { status: 204 });
    t.match(await enqueue(), { status: 201 });
    t.same((await next()).body.assignments ?? [], [], 'it is given nothing');
    t.match(await beat(), { status: 200 }, 'it still tells of what it has');
    type Listed = { result: { id: number; status: string }[] };
    const statusOf = async () => {
      const { body } = await root.get<Listed>('/api/server/executors');
      return body.result.find(({ id }) => String(id) === values.get('executors'))?.status;
    };
    t.equal(await statusOf(), 'draining');

    t.match(await executor.delete(own), { status: 200 });
    t.match(await beat(), { status: 401 }, 'its session has ended');
    t.not(await statusOf(), 'draining');
    t.same(full.openapi.breaches, []);
  });
}
