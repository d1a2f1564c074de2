import t from 'tap';
import { ofFullList } from '../../../support/fault-list.ts';
import { openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { type Batch, createShop, dashboardOf } from '../shop.ts';

const WIDGETS = 500;

t.test('large documents', async (t) => {
  const folder = t.testdir();
  const pool = await startWorkerPool(t, { fileRoots: [folder] });
  const app = await createDefinitionsApp(t, await openTestStore(t, 'sqlite'), pool);
  const widget = (id: number) =>
    `{ id: w${id}, type: stat, connector: shop, method: query, args: { sql: "SELECT ${id} AS n" }, value_expr: "data.n" }`;
  const many = dashboardOf(...Array.from({ length: WIDGETS }, (_, id) => widget(id)));
  const { dashboardIds } = await seedJob(app, { connectors: createShop(folder), dashboards: [many] });
  const path = `/api/dashboards/${dashboardIds[0]}`;
  const editor = app.as('editor');

  await t.test('500 widgets of calls of their own come in one batch', ofFullList, async (t) => {
    const { status, body } = await editor.post<Batch>(`${path}/widgets/data`);
    t.equal(status, 200);
    t.equal(Object.keys(body.widgets).length, WIDGETS);
    const wrong = Object.entries(body.widgets).filter(
      ([id, item]) => (item.data as { value?: number } | undefined)?.value !== Number(id.slice(1)),
    );
    t.same(wrong, []);
  });

  await t.test('more than 500 in a list, and a text of 2 MB, are refused and change nothing', async (t) => {
    const put = (yaml_content: string) => editor.put<Refusal>(path, { name: 'Board 1', yaml_content });
    t.match(await put(dashboardOf(...Array.from({ length: WIDGETS + 1 }, (_, id) => widget(id)))), {
      status: 400,
      body: { error: 'VALIDATION_ERROR', message: /more than 500/ },
    });
    const huge = dashboardOf(`{ id: h, type: heading, text: "${'x'.repeat(2_000_000)}" }`);
    t.match(await put(huge), { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.match(await editor.post('/api/dashboards/validate', { yaml_content: huge }), { status: 400 });
    t.match(await editor.get(path), { body: { version: 1 } });
  });
});
