// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/frame.test.ts.
import pMap from 'p-map';
import t from 'tap';
import { ofFullList } from '../../../support/fault-list.ts';
import { serveOrders } from '../../../support/orders-scene.ts';
import { appTests } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(600_000);

const staleMs = 5_500;
/** All at once keep a busy machine from any of them for too long. */
const opensAtOnce = 6;
/** What they have read is good for a minute, so that nothing is asked for. */
const quiet: ReadonlySet<string> = new Set(['/admin/bundles']);

await appTests(async (open) => {
  const { served, jobId, jobRunId, templateId, sourceId } = await serveOrders(t);
  const paths = [
    '/',
    '/runs',
    `/job-runs/${jobRunId}`,
    '/runs/1',
    '/jobs',
    `/jobs/${jobId}`,
    '/dashboards',
    '/dead-letters',
    '/connectors',
    `/connectors/${sourceId}`,
    '/templates',
    `/templates/${templateId}`,
    '/tasks',
    '/tasks/1?view=edit',
    '/account',
    ...['users', 'api-keys', 'executors', 'queue', 'notifications', 'webhooks', 'metrics'].map(
      (screen) => `/admin/${screen}`,
    ),
    ...['bundles', 'ai-references', 'audit', 'settings', 'about'].map((screen) => `/admin/${screen}`),
  ];

  t.test(
    'the server goes away under every screen, and each is well once it is back',
    ofFullList,
    async (t) => {
      const { page: first, context } = await open(t, served.url, await servedProfile(served));
      await first.getByRole('heading', { level: 1 }).waitFor();
      const pages = await pMap(
        paths,
        async (path) => {
          const page = await context.newPage();
          const errors: string[] = [];
          page.on('pageerror', (error) => errors.push(String(error)));
          await page.goto(served.url + path, { waitUntil: 'networkidle' });
          await page.locator('.placeholder').first().waitFor({ state: 'detached' });
          const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
          return { path, page, errors, title };
        },
        { concurrency: opensAtOnce },
      );
      await first.waitForTimeout(staleMs);
      await served.killControlPlane();
      for (const { path, page, errors, title } of pages) {
        // As one who comes back to the tab.
        await page.bringToFront();
        await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
        if (!quiet.has(path)) await page.getByText('The server cannot be reached').first().waitFor();
        t.equal(await page.getByRole('heading', { level: 1 }).textContent(), title, `${path} stays`);
        t.same(errors, [], path);
      }
      await served.restart();
      for (const { path, page, errors, title } of pages) {
        await page.bringToFront();
        await page.getByText('The server cannot be reached').first().waitFor({ state: 'detached' });
        t.equal(await page.getByRole('heading', { level: 1 }).textContent(), title, `${path} is there`);
        t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, `${path} asks for nothing`);
        t.same(errors, [], path);
      }
    },
  );
});
