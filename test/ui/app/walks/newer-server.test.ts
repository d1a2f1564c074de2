// Long list: it walks through every screen of the page in a browser; quick: test/ui/app/every-screen.test.ts.
import type { Page } from 'playwright-core';
import t from 'tap';
import { serveOrders } from '../../../support/orders-scene.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

const FILES = '**/assets/*.js';
const FUTURE = 'from_the_future';
/** Keys whose values are one of a list, which a newer server may have made longer. */
const LISTED =
  /^(status|state|kind|type|role|action|reason|level|phase|mode|overlap|health|trigger_type|provider|format|actor_type|fault|outcome|event|source|capability|scope)$/;

await appTests(async (open) => {
  const { served, jobId, jobRunId, templateId, sourceId } = await serveOrders(t);
  const profile = await servedProfile(served);
  const { url, api } = served;
  await api.post(`/api/jobs/${jobId}/triggers`, { cron: '0 2 * * *', timezone: 'UTC' });

  t.test(
    'after an update of the server nothing typed is lost, and a link leads to the new page',
    async (t) => {
      const { page } = await open(t, `${url}/connectors/${sourceId}`, profile);
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Typed and not saved');
      let isOld = true;
      page.on('request', (request) => {
        if (request.isNavigationRequest()) isOld = false;
      });
      await page.route(FILES, (route) =>
        isOld ? route.fulfill({ status: 404, body: '' }) : route.continue(),
      );
      await page.route(`${url}/`, async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replace(/\/app-[\w-]+\.js/, '/app-newer.js');
        await route.fulfill({ response: answer, body });
      });
      await page.getByRole('link', { name: 'Dashboards' }).hover();
      await page.getByText('Headgate has been updated').waitFor();
      await checkLooks(t, page);
      t.equal(await name.inputValue(), 'Typed and not saved');
      await page.keyboard.press('Control+k');
      await page.waitForTimeout(300);
      t.equal(await name.inputValue(), 'Typed and not saved', 'the palette is not there, the form is');
      await page.getByRole('link', { name: 'Dashboards' }).click();
      await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor();
      t.equal(await page.getByText('Headgate has been updated').count(), 0, 'it is the new page');
      t.notOk(isOld);
    },
  );

  t.test('a screen whose file does not come says so, and comes when it is asked for again', async (t) => {
    const { page } = await open(t, url, profile);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route(FILES, (route) => route.abort('timedout'));
    await page.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByText('A part of this page could not be loaded').waitFor();
    t.equal(await page.getByRole('navigation', { name: 'Main navigation' }).count(), 1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor();
  });

  t.test('words of a newer server are shown as they are', async (t) => {
    const { page, complaints } = await open(t, url, profile);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    await page.route('**/api/**', async (route) => {
      if (route.request().method() !== 'GET' || route.request().url().includes('/api/auth/me'))
        return route.continue();
      const answer = await route.fetch();
      if (!(answer.headers()['content-type'] ?? '').includes('application/json'))
        return route.fulfill({ response: answer });
      return route.fulfill({ response: answer, json: future(await answer.json()) });
    });
    const paths = [
      '/',
      '/runs',
      '/runs?kind=tasks',
      `/job-runs/${jobRunId}`,
      `/job-runs/${jobRunId}?view=timeline`,
      '/runs/1',
      '/jobs',
      `/jobs/${jobId}`,
      `/jobs/${jobId}?view=config`,
      `/jobs/${jobId}?view=triggers`,
      `/jobs/${jobId}?view=state`,
      `/jobs/${jobId}?view=upgrade`,
      '/dashboards',
      '/dead-letters',
      '/connectors',
      '/connectors/new',
      `/connectors/${sourceId}`,
      '/templates',
      `/templates/${templateId}`,
      '/tasks',
      '/tasks/1?view=edit',
      '/tasks/1?view=uses',
      '/account',
      ...['users', 'api-keys', 'executors', 'queue', 'notifications', 'webhooks', 'metrics'].map(
        (screen) => `/admin/${screen}`,
      ),
      ...['bundles', 'ai-references', 'audit', 'settings', 'about'].map((screen) => `/admin/${screen}`),
    ];
    for (const path of paths) {
      await go(page, path);
      t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, `${path} is shown`);
      t.equal(
        await page.getByText(/\bundefined\b|\[object Object\]|\bNaN\b/).count(),
        0,
        `${path} has words`,
      );
    }
    for (const path of [`/jobs/${jobId}?view=triggers`, '/dead-letters', '/runs']) {
      await go(page, path);
      t.ok((await page.locator('main').getByText(FUTURE).count()) > 0, path);
    }
    t.same(complaints, []);
  });
});

async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.waitForLoadState('networkidle');
  await page.locator('.placeholder').first().waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
}

function future(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(future);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      LISTED.test(key) && typeof one === 'string' ? FUTURE : future(one),
    ]),
  );
}
