import t from 'tap';
import { openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import type { Batch } from '../shop.ts';

const SOURCE = 'options_source: { connector: rows, method: list, value_expr: item.id }';
const TEMPLATE = `
job_config:
  shop: { type: form, fields: [{ key: tenant, type: text }] }
  own: { type: form, fields: [{ key: pick, type: select, ${SOURCE} }] }
`;
const BOARD = `
default_scope: mine
scope: { mine: { rows: { tenant: "{{ job_config.shop.tenant }}" } } }
widgets:
  - { id: list, type: table, connector: rows, method: list, columns: [{ key: id }] }
  - { id: own, type: form }
`;
const OPEN = 'allow_public_input: true\nwidgets: [{ id: shop, type: form }]';

t.test('a form that another dashboard of the job shares may not choose a scope', async (t) => {
  const pool = await startWorkerPool(t);
  const app = await createDefinitionsApp(t, await openTestStore(t, 'sqlite'), pool);
  const config = {
    rows: [
      { id: 'a1', tenant: 'a' },
      { id: 'b1', tenant: 'b' },
    ],
  };
  const { dashboardIds, jobId } = await seedJob(app, {
    connectors: { rows: { type: 'dummy', config } },
    template: TEMPLATE,
    dashboards: [BOARD, OPEN],
  });
  const editor = app.as('editor');
  await editor.put(`/api/jobs/${jobId}/config/shop`, { value: { tenant: 'a' } });
  const [board, open] = dashboardIds.map((id) => `/api/dashboards/${id}`);
  const list = async () =>
    (await editor.post<Batch>(`${board}/widgets/data`, { widget_ids: ['list'] })).body.widgets['list'];
  const options = async () => (await editor.post(`${board}/widgets/own/options`, { side: 'pick' })).text;

  t.match(await list(), { data: { rows: [{ id: 'a1' }], total: 1 } }, 'nobody has a link');
  t.match(await options(), /"a1"/);
  const yaml_content = BOARD.replace('{ mine: { rows:', '{ mine: { rosw:');
  t.match(
    await editor.put(board ?? '', { name: 'board', yaml_content }),
    { status: 400, text: /scope\.mine\.rosw.*did you mean/ },
    'a name that is not there is refused when it is saved',
  );
  await editor.post(`${open}/share`);
  t.match(await list(), { error: /people with a share link can change "shop"/ });
  t.notMatch(await options(), /"[ab]1"/);
  await editor.delete(`${open}/share`);
  t.match(await list(), { data: { rows: [{ id: 'a1' }] } }, 'the link is revoked');
  await editor.post(`${board}/share`);
  t.match(await list(), { data: { rows: [{ id: 'a1' }] } }, 'a link to what takes no input is no danger');
});
