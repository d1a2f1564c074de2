import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, overflow, phone, wide } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const { served, jobId, jobRunId, templateId, sourceId } = await serveOrders(t);
  const profile = await servedProfile(served);
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
    const { page, complaints } = await open(t, served.url, profile);
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

  t.test('a run shows what it has read, and the columns whose types it has changed', async (t) => {
    const { api, folder } = served;
    appendFileSync(join(folder, 'orders.csv'), '7,Ost,2026-02-07T12:30:00Z,1\n');
    const { yaml_content } = await api.get<{ yaml_content: string }>('/api/tasks/1');
    const evolving = yaml_content
      .replace('ordered_on: date', 'ordered_on: timestamp')
      .replace('key: [id]', 'key: [id], schema: { types: evolve }');
    await api.put(`/api/jobs/${jobId}/tasks/load/override`, { yaml_content: evolving });
    const { id } = await api.post<{ id: number }>(`/api/jobs/${jobId}/runs`, {});
    await until('the job run ends', 60_000, async () => {
      const run = await api.get<{ ended_at: string | null }>(`/api/job-runs/${id}`);
      return run.ended_at !== null;
    });
    const { page, complaints } = await open(t, `${served.url}/runs/2`, profile);
    await page.getByText('Read from 6 to 7').waitFor();
    const changes = page.getByRole('region', { name: 'Changed columns' }).first();
    await changes.getByRole('row', { name: 'ordered_on orders DATE TIMESTAMP write' }).waitFor();
    t.same(complaints, []);
  });
});
