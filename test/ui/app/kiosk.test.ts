// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/ui/refresh-clock.test.ts, test/ui/next-turn.test.ts.
import t from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { serveOrders } from '../../support/orders-scene.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const yaml = (title: string) => `title: ${title}
refresh_interval_seconds: 2
pages:
  - id: first
    title: First
    widgets:
      - { id: runs, type: stat, title: Runs of ${title}, source: runs, value_expr: "$count(data)" }
      - { id: again, type: action, label: Load again, run: { job: true } }
  - id: second
    title: Second
    widgets:
      - { id: jobs, type: stat, title: More of ${title}, source: runs, value_expr: "$count(data)" }
`;

await appTests(async (open) => {
  const { served, templateId, sourceId, targetId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  for (const name of ['North', 'South'])
    await api.post(`/api/job-templates/${templateId}/dashboard-templates`, {
      name,
      yaml_content: yaml(name),
    });
  await api.post(`/api/job-templates/${templateId}/jobs`, {
    name: 'orders',
    connector_mapping: { source: sourceId, target: targetId },
  });
  const { result } = await api.get<{ result: { id: number; name: string }[] }>('/api/dashboards?sort=name');
  const [north, south] = result;
  if (north === undefined || south === undefined) throw new Error('the job has no dashboards');

  t.test('dashboards are shown in turn, and through the end of the session', async (t) => {
    const { page, context } = await open(t, `${url}/dashboards`, profile);
    await page.getByRole('link', { name: 'Kiosk' }).click();
    await page.getByRole('article', { name: 'Runs of North' }).getByText('0', { exact: true }).waitFor();
    t.match(page.url(), new RegExp(`/kiosk\\?dashboards=${north.id}%2C${south.id}$`));
    t.equal(await page.getByRole('button', { name: 'Load again' }).count(), 0, 'no inputs');
    t.equal(await page.getByRole('link', { name: 'Home' }).count(), 0, 'no navigation');
    t.ok(await page.evaluate<boolean>('document.fullscreenElement !== null'), 'on the whole screen');
    await page.evaluate('document.exitFullscreen()');
    await checkLooks(t, page);
    await page.goto(`${url}/kiosk?dashboards=${north.id},999,${south.id}&seconds=5`);
    for (const name of ['Runs of North', 'More of North', 'Runs of South'])
      await page.getByRole('article', { name }).waitFor();

    const cookies = await context.cookies();
    await context.clearCookies();
    await page
      .getByRole('status')
      .getByText(/The session has ended/)
      .waitFor();
    await page.getByRole('article', { name: 'Runs of South' }).waitFor();
    await context.addCookies(cookies);
    await page
      .getByRole('status')
      .getByText(/The session has ended/)
      .waitFor({ state: 'detached' });
  });

  t.test('a lost server leaves what is known on the display', ofFullList, async (t) => {
    const { page } = await open(t, `${url}/kiosk?dashboards=${north.id},${south.id}&seconds=5`, profile);
    for (const name of ['Runs of North', 'More of North', 'Runs of South', 'More of South', 'Runs of North'])
      await page.getByRole('article', { name }).waitFor();
    await served.killControlPlane();
    await page.getByRole('article', { name: 'Runs of South' }).getByText('0', { exact: true }).waitFor();
    await page
      .getByRole('status')
      .getByText(/The server cannot be reached/)
      .waitFor();
    await served.restart();
    await page
      .getByRole('status')
      .getByText(/cannot be reached/)
      .waitFor({ state: 'detached' });
  });

  t.test('public links are shown in turn too', async (t) => {
    const tokens = await Promise.all(
      [north, south].map(async ({ id }) => {
        const { public_url: address } = await api.post<{ public_url: string }>(
          `/api/dashboards/${id}/share`,
          {},
        );
        return address.split('/').at(-1) ?? '';
      }),
    );
    const [first, second] = tokens;
    const { page, complaints } = await open(t, `${url}/share/${first}?kiosk=5&then=${second}`);
    await page.getByRole('article', { name: 'Runs of North' }).waitFor();
    t.equal(await page.getByRole('tab').count(), 0, 'no tabs');
    await checkLooks(t, page);
    for (const name of ['More of North', 'Runs of South', 'More of South', 'Runs of North'])
      await page.getByRole('article', { name }).waitFor();
    t.same(complaints, []);
  });
});
