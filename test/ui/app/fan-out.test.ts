// Long list: it draws pages in a browser, in both themes; quick: test/ui/app/runs.test.ts, test/ui/app/job-run-graph.test.ts.
import t from 'tap';
import { FAILED } from '../../modules/runs/plane.ts';
import { BareExecutor, stepOf } from '../../support/bare-executor.ts';
import { EXECUTOR_KEY, startFullApp } from '../../support/full-app.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { signedInProfile } from '../support/signed-in.ts';

const hostileName = '<img src=x onerror=alert(1)>';
const template = `version: 1
name: shops
sla: 1s
tasks:
  load: { task: work, foreach_expr: '["a"]' }
  tell: { task: work, needs: [load] }
`;

await appTests(async (open) => {
  const app = await startFullApp(t);
  const root = await app.superadmin();
  const url = app.plane.httpAddress;
  const send = async (path: string, body: object) =>
    (await root.visitor.post<{ id: number; runs: { id: number }[] }>(path, body)).body;
  await send('/api/tasks', {
    yaml_content: 'name: work\nsteps: [{ id: read, kind: log, message: hello }]\n',
  });
  const { id } = await send('/api/job-templates', { name: 'Shops', yaml_content: template });
  const job = await send(`/api/job-templates/${id}/jobs`, { name: 'All shops', connector_mapping: {} });
  const executor = await BareExecutor.register(url, [], EXECUTOR_KEY);

  t.test('a late job run is marked, on the home page too, and its items are shown', async (t) => {
    const jobRun = await send(`/api/jobs/${job.id}/runs`, { args: {} });
    const { page, complaints } = await open(t, `${url}/`, signedInProfile(url, root.visitor));
    const late = page.getByRole('region', { name: 'Late' });
    await late.getByText('Past its SLA').waitFor();
    await checkLooks(t, page);
    await late.getByRole('link', { name: `All shops #${jobRun.id}` }).click();
    await page.getByRole('status').getByText('Late').waitFor();
    await page.getByText(/^Due by /).waitFor();
    await page.getByRole('link', { name: /load for each item Queued/ }).waitFor();
    const lease = await executor.take();
    const steps = [
      { ...stepOf('items', 'foreach', 'error'), rows_in: 1_200 },
      stepOf('item', 'run_task', 'error'),
      { ...stepOf(`item[${hostileName}]`, 'item', 'error'), error: 'The shop is closed' },
      stepOf('item[nord]', 'item', 'success'),
    ];
    await executor.complete(lease, { ...FAILED, steps });
    await page.getByRole('link', { name: /load for each item Failed/ }).waitFor();
    await checkLooks(t, page);
    await page.goto(`${url}/runs`);
    await page.getByRole('row', { name: /Late All shops/ }).waitFor();
    await page.goto(`${url}/runs/${lease.run_id}`);
    const items = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Item' }) });
    await items
      .getByRole('row', { name: /^<img src=x onerror=alert\(1\)> The shop is closed Failed/ })
      .waitFor();
    await items.getByRole('row', { name: /^nord Succeeded/ }).waitFor();
    await page.getByText('2 of 1,200; those that failed come first.').waitFor();
    t.equal(await page.getByRole('row', { name: /^items/ }).count(), 1, 'apart from the steps');
    await checkLooks(t, page);
    await page.goto(`${url}/templates/${id}`);
    await page.getByRole('link', { name: /load for each item/ }).waitFor();
    t.same(complaints, []);
  });
});
