// Long list: it walks through the screens of the page in a browser; quick: test/ui/app/every-screen.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { serve, until } from '../../../support/served.ts';
import { appTests, overflow, phone, wide } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(400_000);

const COLUMNS = 200;
/** Names take 200 characters: more are refused where they are typed. */
const NAME_CHARS = 200;
const names = {
  long: 'x'.repeat(NAME_CHARS),
  words: `${'Überlang '.repeat(21)}Ende`,
  rightToLeft: 'طلبات العملاء من الشمال \u202Eorders',
  emoji: '🚚👩‍👩‍👧‍👦🏳️‍🌈'.repeat(5),
};
/** A slow 3G line, as browsers' tools call it. */
const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const slowMsMax = 20_000;

const TASK = `version: 1
name: orders
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: { typed: false } }
  - { id: shape, kind: transform, input: read, ops: [{ cast: { c1: integer } }], on_error: { action: dead_letter } }
  - { id: write, kind: load, input: shape, connector: target, object: wide, mode: replace }
`;
const TEMPLATE = `version: 1
name: orders
connectors: { source: { type: csv, required: true }, target: { type: sqlite, required: true } }
tasks: { load: { task: orders } }
`;
const BOARD = `title: Wide
pages:
  - id: all
    title: All
    widgets: [{ id: rows, type: table, title: Rows, connector: target, method: list, args: { table: wide } }]
`;

await appTests(async (open) => {
  const served = await serve(t);
  const { api, folder, url } = served;
  const profile = await servedProfile(served);
  mkdirSync(folder, { recursive: true });
  const columns = Array.from({ length: COLUMNS }, (_, at) => `c${at + 1}`);
  const row = (first: string) => [first, ...columns.slice(1)].join(',');
  writeFileSync(join(folder, 'wide.csv'), `${columns.join(',')}\n${row('1')}\n${row('no number')}\n`);
  const make = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
  await make('/api/tasks', { yaml_content: TASK });
  const paths = ['/', '/runs', '/runs?kind=tasks', '/jobs', '/connectors', '/templates', '/dead-letters'];
  paths.push('/dashboards', '/admin/users', '/admin/notifications', '/admin/webhooks', '/admin/audit');
  for (const name of Object.values(names)) {
    const source = await make('/api/connectors', { name, type: 'csv', config: { path: 'wide.csv' } });
    const config = { path: `${source}.db`, create: true };
    const target = await make('/api/connectors', {
      name: `${name.slice(0, 95)} DB`,
      type: 'sqlite',
      config,
    });
    const template = await make('/api/job-templates', { name, description: name, yaml_content: TEMPLATE });
    const board = { name, yaml_content: BOARD };
    await make(`/api/job-templates/${template}/dashboard-templates`, board);
    const connector_mapping = { source, target };
    const job = await make(`/api/job-templates/${template}/jobs`, { name, connector_mapping });
    const jobRun = await make(`/api/jobs/${job}/runs`, {});
    await until('the job run ends', 60_000, async () => {
      const { ended_at } = await api.get<{ ended_at: string | null }>(`/api/job-runs/${jobRun}`);
      return ended_at !== null;
    });
    await make(`/api/jobs/${job}/triggers`, { cron: '0 6 * * *', name, timezone: 'Europe/Berlin' });
    await make('/api/users', {
      email: `u${job}@example.com`,
      name,
      role: 'viewer',
      password: 'a long pass phrase 7',
    });
    const hook = 'https://hooks.example.com/x';
    await make('/api/notifications/channels', { kind: 'slack', name, url: hook, events: ['run.failing'] });
    await make('/api/webhooks', { name, url: hook, events: ['run.failing'], enabled: false });
    paths.push(`/job-runs/${jobRun}`, `/jobs/${job}`, `/jobs/${job}?view=triggers`, `/templates/${template}`);
    paths.push(`/connectors/${source}`, `/connectors/${target}?view=browse&resource=wide`);
  }

  t.test('names of 200 characters, from right to left and of emoji break no screen', async (t) => {
    const { page, complaints } = await open(t, url, profile);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const path of paths) {
      await page.goto(`${url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.placeholder').first().waitFor({ state: 'detached' });
      t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, `${path} is read`);
      for (const { viewport } of [phone, wide]) {
        await page.setViewportSize(viewport);
        t.ok((await overflow(page)) <= 0, `${path} is not wider than ${viewport.width} px`);
      }
    }
    t.same(complaints, []);
  });

  t.test('a name of spaces or of 300 characters is refused in the form, which keeps it', async (t) => {
    const { page } = await open(t, `${url}/connectors/new?type=csv`, profile);
    const name = page.getByLabel('Name');
    await name.waitFor();
    await page.getByLabel(/^path/).fill('wide.csv');
    for (const typed of ['     ', 'y'.repeat(300)]) {
      await name.fill(typed);
      const kept = await name.inputValue();
      await page.getByRole('button', { name: 'Save the connector' }).click();
      if (kept === typed) {
        await page.getByRole('alert').filter({ hasText: /name/i }).first().waitFor();
        t.equal(await name.inputValue(), typed);
      } else t.equal(kept.length, NAME_CHARS, 'the field takes no more');
      if (!page.url().includes('/new')) break;
    }
  });

  t.test('a table of 200 columns scrolls by itself in each place that shows rows', async (t) => {
    const { page, complaints } = await open(t, `${url}/dead-letters`, profile);
    await page.getByRole('columnheader', { name: 'c200', exact: true }).first().waitFor();
    await fits(page, 'dead letters');
    await page.goto(`${url}/connectors/2?view=browse&resource=wide`);
    await page
      .getByRole('columnheader', { name: /^c200\b/ })
      .first()
      .waitFor();
    await fits(page, 'browse');
    await page.goto(`${url}/dashboards/1`);
    await page.getByRole('columnheader', { name: 'c200', exact: true }).waitFor();
    await fits(page, 'dashboard');
    t.same(complaints, []);

    async function fits(shown: Page, what: string): Promise<void> {
      for (const { viewport } of [phone, wide]) {
        await shown.setViewportSize(viewport);
        t.ok((await overflow(shown)) <= 0, `${what} is not wider than ${viewport.width} px`);
      }
    }
  });

  t.test('on a slow line each screen says that it loads, and then is there', async (t) => {
    const { page, context, complaints } = await open(t, `${url}/admin/about`, profile);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.setCacheDisabled', { cacheDisabled: true });
    await line.send('Network.emulateNetworkConditions', slow);
    const began = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ timeout: slowMsMax });
    await page.getByRole('region', { name: 'Latest runs' }).getByRole('link').first().waitFor();
    const took = performance.now() - began;
    t.ok(took < slowMsMax, `home in ${Math.round(took)} ms`);
    for (const name of ['Runs', 'Jobs', 'Connectors', 'Dead letters']) {
      await page.getByRole('link', { name, exact: true }).first().click();
      // What was pressed is seen at once: the old screen does not just stay.
      await page
        .locator('.placeholder')
        .or(page.getByRole('heading', { level: 1, name }))
        .first()
        .waitFor({ timeout: 2_000 });
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.locator('.placeholder').first().waitFor({ state: 'detached' });
    }
    t.same(complaints, []);
  });
});
