import t from 'tap';
import { tellOrders } from '../../support/orders-scene.ts';
import { appTests, overflow, phone, wide } from '../support/app-tests.ts';
import { signedInProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const { root, url, jobId, jobRunId, templateId, sourceId } = await tellOrders(t);
  const paths = [
    '/runs',
    `/job-runs/${jobRunId}`,
    '/runs/1',
    '/jobs',
    '/jobs/new',
    `/jobs/${jobId}`,
    '/dashboards',
    '/dead-letters',
    '/connectors',
    '/connectors/new',
    `/connectors/${sourceId}`,
    '/templates',
    '/templates/new',
    `/templates/${templateId}`,
    '/tasks',
    '/tasks/new',
    '/tasks/1?view=edit',
    '/account',
    ...['users', 'api-keys', 'executors', 'queue', 'notifications', 'webhooks', 'metrics'].map(
      (screen) => `/admin/${screen}`,
    ),
    ...['bundles', 'ai-references', 'audit', 'settings', 'about'].map((screen) => `/admin/${screen}`),
  ];

  // What people do on each is in the long list, and there in both themes and before axe-core.
  t.test('every screen is drawn, at both widths, without a complaint of the browser', async (t) => {
    const { page, complaints } = await open(t, url, signedInProfile(url, root.visitor));
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    for (const path of paths) {
      await page.evaluate(
        `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.waitForLoadState('networkidle');
      await page.locator('.placeholder').first().waitFor({ state: 'detached' });
      await heading.waitFor();
      const shown = await page.evaluate<string>('location.pathname + location.search');
      t.equal(shown, path);
      t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, `${path} is read`);
      for (const { viewport } of [phone, wide]) {
        await page.setViewportSize(viewport);
        t.ok((await overflow(page)) <= 0, `${path} is not wider than ${viewport.width} px`);
      }
    }
    t.same(complaints, []);
  });
});
