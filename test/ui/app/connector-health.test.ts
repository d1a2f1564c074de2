// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/connector-health/connector-health-routes.test.ts.
import t from 'tap';
import { freePort } from '../../support/free-port.ts';
import { serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const TASK = `
version: 1
name: count_things
connectors: { shop: { type: postgres } }
steps:
  - { id: read, kind: extract, connector: shop, method: query, args: { sql: "select 1 as n" } }
  - { id: say, kind: log, message: "{{ steps.read.count }} rows" }
`;

await appTests(async (open) => {
  const { served, targetId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const config = {
    host: '127.0.0.1',
    port: await freePort(),
    database: 'd',
    user: 'u',
    password: 'p',
    ssl: 'disable',
  };
  const shop = await api.post<{ id: number }>('/api/connectors', { name: 'Shop', type: 'postgres', config });
  const unused = await api.post<{ id: number }>('/api/connectors', {
    name: 'Unused',
    type: 'dummy',
    config: {},
  });
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
  const run = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors: { shop: shop.id } });
  await until('the run has failed', 60_000, async () => {
    const { status } = await api.get<{ status: string }>(`/api/runs/${run.id}`);
    return status === 'error';
  });

  t.test('a connector that fails is marked in the list, and its page leads to the run', async (t) => {
    const { page, complaints } = await open(t, `${url}/connectors`, profile);
    await page.getByRole('row', { name: /Shop\s+Failing/ }).waitFor();
    t.equal(
      await page
        .getByRole('row', { name: /Unused/ })
        .getByText('Not used yet')
        .count(),
      0,
    );
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('link', { name: 'Health' }).click();
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Failing').waitFor();
    await health.getByText(/^UNAVAILABLE: /).waitFor();
    await health.getByRole('cell', { name: 'Runs', exact: true }).waitFor();
    await checkLooks(t, page);
    await health.getByLabel('Time range').selectOption('30d');
    await health.getByRole('link', { name: `Run ${run.id}` }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    t.match(page.url(), new RegExp(`/runs/${run.id}$`));
    t.same(complaints, []);
  });

  t.test('the list is of one status, as the address says', async (t) => {
    const { page, complaints } = await open(t, `${url}/connectors`, profile);
    await page.getByRole('link', { name: 'Unused' }).waitFor();
    await page.getByLabel('Health').selectOption({ label: 'Failing' });
    await page.getByRole('link', { name: 'Unused' }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Shop\s+Failing/ }).waitFor();
    t.equal(new URL(page.url()).search, '?status=failing');
    await checkLooks(t, page);
    await page.reload();
    await page.getByRole('row', { name: /Shop\s+Failing/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing');
    await page.getByText('No connectors match these filters').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    // Within the pause that the search waits for.
    await page.getByLabel('Health').selectOption({ label: 'Not used yet' });
    await page.getByRole('link', { name: 'Unused' }).click();
    await page.getByText(/^Not used yet: a run/).waitFor();
    t.same(complaints, []);
  });

  t.test('home names a connector that fails, and leads to its health', async (t) => {
    const { page, complaints } = await open(t, url, profile);
    const failing = page.getByRole('region', { name: 'Connectors that fail' });
    await failing.getByRole('link', { name: 'Shop' }).waitFor();
    await checkLooks(t, page);
    await failing.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('region', { name: 'Health' }).getByText('Failing').waitFor();
    t.same(complaints, []);
  });

  t.test('one that works says so, and one that was never used what will show it', async (t) => {
    const { page, complaints } = await open(t, `${url}/connectors/${targetId}?view=health`, profile);
    await page.getByRole('region', { name: 'Health' }).getByText('Works', { exact: true }).waitFor();
    await checkLooks(t, page);
    await page.goto(`${url}/connectors/${unused.id}?view=health`);
    await page.getByText(/^Not used yet: /).waitFor();
    await checkLooks(t, page);
    t.same(complaints, []);
  });
});
