// Long list: it walks through screens of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/jobs/config/job-config-routes.test.ts, test/modules/triggers/trigger-routes.test.ts.

import type { Page } from 'playwright-core';
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const conflictOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'Someone else has saved' });

await appTests(async (open) => {
  const { served, jobId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const make = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;

  t.test('the configuration of a job: what is typed stays, and both values are shown', async (t) => {
    const path = `/api/jobs/${jobId}/config`;
    const stored = async () =>
      (await api.get<{ values: { options?: { limit?: number } } }>(path)).values.options;
    const theirs = (value: object) => api.put(`${path}/options`, { value });
    const { page, complaints } = await open(t, `${url}/jobs/${jobId}?view=config`, profile);
    const limit = page.getByLabel('Limit');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await limit.fill('10');
    await theirs({ currency: 'USD', limit: 7 });
    await save.click();
    const conflict = conflictOf(page);
    await conflict.getByText(/limit.*7/).waitFor();
    t.equal(await limit.inputValue(), '10', 'what is typed is still there');
    await checkLooks(t, page);
    await conflict.getByRole('button', { name: 'Keep mine and overwrite theirs' }).click();
    await conflict.waitFor({ state: 'hidden' });
    await until('mine is saved', 20_000, async () => (await stored())?.limit === 10);
    await limit.fill('20');
    await theirs({ currency: 'USD', limit: 8 });
    await save.click();
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await conflict.waitFor({ state: 'hidden' });
    t.equal(await limit.inputValue(), '8');
    t.match(await stored(), { limit: 8 });
    complaints.splice(0);
  });

  t.test(
    'a connector that somebody else has saved: both are shown, also when it was read again, and their secrets stay',
    async (t) => {
      const type = 'postgres';
      const config = { host: 'db.example', user: 'etl' };
      const path = `/api/connectors/${await make('/api/connectors', { name: 'First', type, config })}`;
      const { page, complaints } = await open(t, `${url}${path.replace('/api', '')}`, profile);
      const name = page.getByLabel('Name', { exact: true });
      const save = page.getByRole('button', { name: 'Save', exact: true });
      const conflict = conflictOf(page);
      await name.waitFor();
      await api.put(path, { name: 'Theirs', type, config: { ...config, schema: 'sales', password: 'new' } });
      // As after a lost server, or when the window is looked at again.
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await name.fill('Mine');
      await save.click();
      await conflict.getByText(/-name: Theirs/).waitFor();
      await conflict.getByText(/\+name: Mine/).waitFor();
      await conflict.getByText(/"schema": "sales"/).waitFor();
      t.equal(await conflict.getByText(/password/).count(), 0, 'no secret, and no mask of one');
      t.match(await api.get(path), { name: 'Theirs' });
      await checkLooks(t, page);
      await conflict.getByRole('button', { name: 'Keep mine and overwrite theirs' }).click();
      await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
      const kept = await api.get<{ name: string; config: object }>(path);
      t.same([kept.name, kept.config], ['Mine', { ...config, password: '********' }], 'and the new secret');

      await api.put(path, { name: 'Theirs again', type, config });
      await name.fill('Mine again');
      await save.click();
      await conflict.getByText(/-name: Theirs again/).waitFor();
      await conflict.getByRole('button', { name: 'Take theirs' }).click();
      await page.getByRole('heading', { level: 1, name: 'Theirs again' }).waitFor();
      t.equal(await name.inputValue(), 'Theirs again');
      t.match(await api.get(path), { name: 'Theirs again' });
      complaints.splice(0);
    },
  );

  t.test(
    'a trigger, a webhook, a channel, a reference and a metrics backend: both are shown, and either is kept',
    async (t) => {
      const trigger = await make(`/api/jobs/${jobId}/triggers`, {
        cron: '0 2 * * *',
        timezone: 'UTC',
        name: 'nightly',
      });
      const webhook = await make('/api/webhooks', {
        name: 'hook',
        url: 'https://hooks.example.com/a',
        events: ['run.failing'],
      });
      const channel = await make('/api/notifications/channels', {
        kind: 'slack',
        name: 'alerts',
        url: 'https://hooks.slack.example/x',
        events: ['run.failing'],
      });
      const reference = await make('/api/ai/references', { name: 'rules', content: 'Use merge.' });
      const backend = await make('/api/metrics/config', {
        name: 'statsd',
        backend: 'statsd',
        config: { host: '192.0.2.1', port: 8125 },
      });
      const records = [
        {
          path: `/api/metrics/config/${backend}`,
          screen: '/admin/metrics',
          edit: 'Edit: statsd',
          name: 'statsd',
        },
        {
          path: `/api/triggers/${trigger}`,
          screen: `/jobs/${jobId}?view=triggers`,
          edit: 'Edit: nightly',
          name: 'nightly',
        },
        {
          path: `/api/webhooks/${webhook}`,
          screen: `/admin/webhooks/${webhook}`,
          edit: 'Edit',
          name: 'hook',
        },
        {
          path: `/api/notifications/channels/${channel}`,
          screen: `/admin/notifications/${channel}`,
          edit: 'Edit',
          name: 'alerts',
        },
        {
          path: `/api/ai/references/${reference}`,
          screen: '/admin/ai-references',
          edit: 'rules',
          name: 'rules',
        },
      ];
      const { page, complaints } = await open(t, url, profile);
      for (const { path, screen, edit, name } of records) {
        const nameNow = async () => (await api.get<{ name: string }>(path)).name;
        const theirs = async (changed: string) => {
          const { content, cron, timezone, events, url, backend, config } =
            await api.get<Record<string, unknown>>(path);
          const kept = {
            content,
            cron,
            timezone,
            events,
            backend,
            config,
            ...(path.includes('/webhooks/') && { url }),
          };
          await api.put(path, { ...JSON.parse(JSON.stringify(kept)), name: changed });
        };
        for (const way of ['Keep mine and overwrite theirs', 'Take theirs']) {
          await page.goto(`${url}${screen}`);
          const opener = page.getByRole('button', { name: edit.replace(name, await nameNow()), exact: true });
          await opener.first().click();
          const field = page.getByLabel('Name', { exact: true });
          await field.fill(`mine of ${name}`);
          await theirs(`theirs of ${name}`);
          await page.getByRole('button', { name: 'Save', exact: true }).click();
          const conflict = conflictOf(page);
          await conflict.getByText(`name: theirs of ${name}`).waitFor();
          await conflict.getByText(`name: mine of ${name}`).waitFor();
          await checkLooks(t, page);
          await conflict.getByRole('button', { name: way }).click();
          await field.waitFor({ state: 'hidden' });
          t.equal(
            await nameNow(),
            way === 'Take theirs' ? `theirs of ${name}` : `mine of ${name}`,
            `${path}: ${way}`,
          );
        }
      }
      complaints.splice(0);
    },
  );

  t.test('settings and branding: what is typed stays, and only that is saved', async (t) => {
    const { page, complaints } = await open(t, `${url}/admin/settings`, profile);
    const lookAgain = () => page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.getByLabel('ai.model').fill('mine');
    await api.put('/api/server/config', { settings: { 'ai.max_tokens': 4_321 } });
    // Answers of the last five seconds are not asked for again.
    await until('theirs is shown', 20_000, async () => {
      await lookAgain();
      return (await page.getByLabel('ai.max_tokens').inputValue()) === '4321';
    });
    t.equal(await page.getByLabel('ai.model').inputValue(), 'mine');
    await save.click();
    await page.getByText('Back to the default').nth(1).waitFor();
    const { settings } = await api.get<{ settings: Record<string, { value: unknown }> }>(
      '/api/server/config',
    );
    t.match([settings['ai.model']?.value, settings['ai.max_tokens']?.value], ['mine', 4_321]);
    t.ok(await save.isDisabled(), 'nothing is left to save');

    await page.goto(`${url}/admin/about`);
    await page.getByLabel('Product name').fill('Mine');
    const { logo_url, favicon_url, primary_color, ...branding } =
      await api.get<Record<string, unknown>>('/api/branding');
    const theirs = { product_name: branding['product_name'], logo_url, favicon_url, primary_color };
    await api.put('/api/branding', { ...theirs, support_url: 'https://help.example.com/' });
    await until('theirs is shown', 20_000, async () => {
      await lookAgain();
      return (await page.getByLabel('Support address').inputValue()) !== '';
    });
    t.equal(await page.getByLabel('Product name').inputValue(), 'Mine');
    await save.click();
    await until('it is saved', 20_000, async () => {
      const now = await api.get<{ product_name: string }>('/api/branding');
      return now.product_name === 'Mine';
    });
    t.match(await api.get('/api/branding'), { support_url: 'https://help.example.com/' });
    t.same(complaints, []);
  });
});
