import t from 'tap';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';
import { createShop } from './shop.ts';

interface Draft {
  readonly document: { readonly pages: readonly { readonly widgets: readonly { readonly id: string }[] }[] };
  readonly widgets: Readonly<Record<string, { readonly data?: unknown; readonly error?: string }>>;
}

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });
const shop = createShop(folder);
const DRAFT = `widgets:
  - { id: orders, type: table, connector: shop, method: list, args: { table: orders } }
  - { id: lost, type: table, connector: shop, method: list, args: { table: missing } }
`;

for (const dialect of ['sqlite', 'postgres'] as const) {
  t.test(`a draft is drawn with the data of a job, and nothing is stored, ${dialect}`, async (t) => {
    const store = await openTestStore(t, dialect);
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app, { connectors: shop, dashboards: [DRAFT] });
    const before = await store.read.selectFrom('dashboards').selectAll().execute();
    const path = `/api/jobs/${jobId}/dashboard-draft`;
    const ask = (yaml_content: string) => app.as('editor').post<Draft & Refusal>(path, { yaml_content });

    const drawn = await ask(DRAFT);
    t.equal(drawn.status, 200, drawn.text);
    t.same(
      drawn.body.document.pages.flatMap(({ widgets }) => widgets.map(({ id }) => id)),
      ['orders', 'lost'],
    );
    t.match(drawn.body.widgets, { orders: { data: { rows: [{}] } }, lost: { error: /missing/ } });
    const other = await ask(DRAFT.replace('id: orders', 'id: others'));
    t.match(other.body.widgets, { others: { data: {} } }, 'another text is another document');

    t.match(await ask('widgets: [{ id: a, type: nonsense }]'), { status: 400 });
    t.equal((await app.as('viewer').post(path, { yaml_content: DRAFT })).status, 403);
    t.equal(
      (await app.as('editor').post('/api/jobs/999999/dashboard-draft', { yaml_content: DRAFT })).status,
      404,
    );
    t.same(await store.read.selectFrom('dashboards').selectAll().execute(), before);
  });
}
