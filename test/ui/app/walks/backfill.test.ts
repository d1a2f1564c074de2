// Long list: it walks through a screen of the page in a browser; quick: test/ui/plan-months.test.ts, test/modules/triggers/backfill/backfill.test.ts.
import t from 'tap';
import { serveOrders } from '../../../support/orders-scene.ts';
import { until } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);
const dayMs = 86_400_000;
const days = 3;

await appTests(async (open) => {
  const { served, jobId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const trigger = { cron: '0 0 * * *', name: 'Every night', timezone: 'UTC' };
  await api.post(`/api/jobs/${jobId}/triggers`, trigger);

  t.test('past times are planned on a calendar, started as planned, and watched', async (t) => {
    const { page, complaints } = await open(t, `${url}/jobs/${jobId}?view=triggers`, profile);
    const section = page.getByRole('region', { name: 'Run past times' });
    const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
    await section.getByLabel('From').fill(day(days));
    await section.getByLabel('Up to and including').fill(day(1));
    await section.getByRole('button', { name: 'Show the plan' }).click();
    await section.getByText(`${days} runs would start.`).waitFor();
    t.equal(await section.locator('td[data-planned]').count(), days);
    t.match(await section.locator('td[data-planned]').first().getAttribute('title'), /never ran/);
    await checkLooks(t, page);
    await section.getByText('For scripts').click();
    await section.getByText(`headgate backfill`).waitFor();

    await section.getByLabel('At most at once').fill('2');
    await section.locator('td[data-planned]').first().waitFor({ state: 'detached' });
    await section.getByRole('button', { name: 'Show the plan' }).click();
    await section.getByRole('button', { name: `Start ${days} runs` }).click();
    await section.getByText('The backfill has begun.').waitFor();
    await section.getByText(/Completed · 3 of 3 ended/).waitFor({ timeout: 60_000 });
    await checkLooks(t, page);

    await section.getByRole('button', { name: 'Show the plan' }).click();
    await section.getByText('Nothing to run').waitFor();
    await section.getByLabel('Which times').selectOption('all');
    await section.getByRole('button', { name: 'Show the plan' }).click();
    await section.getByText(`${days} runs would start.`).waitFor();
    t.match(await section.locator('td[data-planned]').first().getAttribute('title'), /before/);
    const { result } = await api.get<{ result: { max_active: number }[] }>('/api/triggers/1/backfills');
    t.match(result, [{ max_active: 2 }]);
    t.same(complaints, []);
  });

  t.test('a backfill is paused, resumed and cancelled; the plan of another day is refused', async (t) => {
    const { page } = await open(t, `${url}/jobs/${jobId}?view=triggers`, profile);
    const section = page.getByRole('region', { name: 'Run past times' });
    await section.getByLabel('From').fill('2026-01-01');
    await section.getByLabel('Up to and including').fill('2026-05-31');
    await section.getByRole('button', { name: 'Show the plan' }).click();
    await section.getByRole('button', { name: /^Start \d+ runs/ }).click();
    const list = section.getByRole('list', { name: 'Backfills' });
    await list.getByRole('button', { name: /^Pause/ }).click();
    await list.getByText(/^Paused/).waitFor();
    await list.getByRole('button', { name: /^Resume/ }).click();
    await list.getByRole('button', { name: /^Pause/ }).waitFor();
    await list.getByRole('button', { name: /^Cancel/ }).click();
    await list.getByText(/^Cancelled/).waitFor();
    await until('it has ended', 20_000, async () => {
      const { result } = await api.get<{ result: { ended_at: string | null }[] }>(
        '/api/triggers/1/backfills',
      );
      return result[0]?.ended_at !== null;
    });
    await section.getByLabel('From').fill('2099-01-01');
    await section.getByRole('button', { name: 'Show the plan' }).click();
    await section.getByRole('alert').first().waitFor();
  });
});
