// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/examples/examples.test.ts, test/modules/triggers/trigger-routes.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { createDatabase } from '../../../support/postgres.ts';
import { serve } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

const ORDERS = `Bestell-Nr;Kunde;Datum;Betrag
1001;Nord GmbH;02.11.2026;1.344,37
1002;Süd AG;03.11.2026;598,53
1003;West KG;31.02.2026;77,10
`;

const DASHBOARD = `title: Sales
pages:
  - id: sales
    title: Sales
    widgets:
      - { id: revenue, type: stat, title: Revenue, connector: target, method: query, args: { sql: "select sum(amount)::float as total from orders" }, value_expr: data.total, format: number }
`;

/** Replaces the text of an editor, as one who pastes. */
async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

await appTests(async (open) => {
  const database = await createDatabase(t);
  const served = await serve(t);
  const profile = await servedProfile(served);
  mkdirSync(served.folder, { recursive: true });
  writeFileSync(join(served.folder, 'bestellungen.csv'), ORDERS);

  t.test('an engineer loads her CSV file into her PostgreSQL every night, with a dashboard', async (t) => {
    const { page, complaints } = await open(t, served.url, profile);
    const connect = async (type: RegExp, name: string, field: string, value: string) => {
      await page.getByRole('link', { name: 'Connect a source and a target' }).click();
      await page.getByRole('link', { name: type }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('textbox', { name: field }).fill(value);
      await page.getByRole('button', { name: 'Test the connection' }).click();
      await page.getByText('It works.').waitFor();
      await page.getByRole('button', { name: 'Save the connector' }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    };
    await connect(/^CSV files/, 'My orders', 'path', 'bestellungen.csv');
    await page.getByRole('link', { name: 'Browse' }).click();
    await page.getByRole('cell', { name: '1.344,37' }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Home' }).click();
    await connect(/^PostgreSQL/, 'Warehouse', 'url', database.url);

    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Write a task' }).click();
    const editor = page.getByRole('textbox', { name: 'YAML: New task' });
    await editor.getByText('postgres').waitFor();
    const steps = await editor.textContent();
    t.match(steps, /source: \{ type: csv \}.*target: \{ type: postgres \}/, 'it begins with what there is');
    t.match(steps, 'mode: merge, key: [Bestell-Nr] }', 'and with what does not double the rows');
    const load = page.getByRole('region', { name: 'Rows of earlier runs' });
    await load.getByText('The source has: Bestell-Nr, Kunde, Datum, Betrag.').waitFor();
    await checkLooks(t, page);
    await load.getByLabel('At the next run').selectOption('replace');
    await editor.getByText('object: rows, mode: replace }').waitFor();
    await load.getByLabel('At the next run').selectOption('merge');
    await load.getByLabel('Key columns').fill('Kunde, Datum');
    await load.getByLabel('Key columns').blur();
    await editor.getByText('mode: merge, key: [Kunde, Datum] }').waitFor();
    const shape = (amount: string) => `version: 1
name: orders
connectors:
  source: { type: csv }
  target: { type: postgres }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: shape
    kind: transform
    input: read
    ops:
      - rename: { Bestell-Nr: id, Kunde: customer, Datum: ordered_on, Betrag: amount }
      - cast: { ordered_on: { type: date, format: DD.MM.YYYY }, amount: ${amount} }
    on_error: { action: dead_letter }
  - { id: write, kind: load, input: shape, connector: target, object: orders, mode: upsert, key: [id] }
`;
    await paste(page, 'YAML: New task', shape('decimal'));
    await page.getByText('No problems').waitFor();
    const tried = page.getByRole('region', { name: 'Preview' });
    await page.getByRole('option', { name: 'Warehouse' }).waitFor({ state: 'attached' });
    await tried.getByRole('button', { name: 'Preview' }).click();
    await tried.getByText(/"1\.344,37" is not a decimal; give the cast a "locale"/).waitFor();
    await paste(page, 'YAML: New task', shape('{ type: decimal, locale: de }'));
    await page.getByText('No problems').waitFor();
    await tried.getByRole('button', { name: 'Preview' }).click();
    await tried.getByText(/2 out .* 1 failed/).waitFor();
    await page.getByRole('button', { name: 'Create' }).click();

    await page.getByRole('link', { name: 'New job template' }).click();
    await page.getByText('No problems').waitFor();
    t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'orders');
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Create' }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('link', { name: 'New dashboard template' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Sales');
    const dashboard = page.getByRole('textbox', { name: 'YAML: New dashboard template' });
    await dashboard.getByText('connector: target, method: list, args: { table: orders }').waitFor();
    await paste(page, 'YAML: New dashboard template', DASHBOARD);
    await page.getByText('No problems').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await page.getByRole('link', { name: 'New job' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Nord');
    await page.getByRole('option', { name: 'Warehouse' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Create the job' }).click();

    await page.getByText('Choose when it runs').waitFor();
    await page.getByRole('button', { name: 'New trigger' }).click();
    await page.getByText('At 02:00').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('link', { name: '1 row was refused' }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Nord', exact: true }).click();
    await views.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('link', { name: /^Sales/ }).click();
    await page.getByRole('article', { name: 'Revenue' }).getByText('1,942.9').waitFor();
    await checkLooks(t, page);
    t.same(complaints, []);
  });

  t.test(
    'a load that stops at its first bad row leads to the task, to its jobs and to a dashboard',
    async (t) => {
      const make = async (path: string, body: object) =>
        (await served.api.post<{ id: number }>(path, body)).id;
      const csv = { name: 'Stops', type: 'csv', config: { path: 'bestellungen.csv' } };
      const source = await make('/api/connectors', csv);
      const sqlite = { name: 'Shop', type: 'sqlite', config: { path: 'shop.db', create: true } };
      const target = await make('/api/connectors', sqlite);
      const yaml = (onError: string) => `version: 1
name: stops
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: shape
    kind: transform
    input: read
    ops: [{ cast: { Datum: { type: date, format: DD.MM.YYYY } } }]
${onError}  - { id: write, kind: load, input: shape, connector: target, object: orders, mode: upsert, key: [Bestell-Nr] }
`;
      const task = await make('/api/tasks', { yaml_content: yaml('') });
      const template = await make('/api/job-templates', {
        name: 'Stops',
        yaml_content:
          'version: 1\nname: stops\nconnectors: { source: { type: csv }, target: { type: sqlite } }\ntasks: { load: { task: stops } }\n',
      });
      const job = await make(`/api/job-templates/${template}/jobs`, {
        name: 'Stopping',
        connector_mapping: { source, target },
      });
      const { page, complaints } = await open(t, `${served.url}/jobs/${job}`, profile);
      const start = async () => {
        await page.getByRole('button', { name: 'Start now' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
      };
      await start();
      await page
        .getByText(/"31\.02\.2026" is not a date.*\(row Bestell-Nr="?1003"? on line 4 of/)
        .first()
        .waitFor();
      await page.getByRole('link', { name: '1 row was refused' }).click();
      const letters = page.getByRole('region', { name: 'Dead letters' });
      await letters.getByText('The step "shape" stops at the first row').waitFor();
      await checkLooks(t, page);
      await letters.getByRole('link', { name: 'Edit the task' }).click();
      await page.getByText('No problems').waitFor();
      await paste(page, 'YAML: stops', yaml('    on_error: { action: dead_letter }\n'));
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByLabel(/^source/).selectOption('Stops');
      await preview.getByLabel(/^target/).selectOption('Shop');
      await preview.getByRole('button', { name: 'Preview' }).click();
      await preview.getByText('Would have written 2 rows to orders: upsert by Bestell-Nr').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('link', { name: '1 job still runs an older version' }).click();
      await page.getByRole('link', { name: '1, upgrade to 2' }).click();
      await page.getByRole('button', { name: 'Upgrade the job' }).click();
      await page.getByText('Job upgraded').waitFor();
      await page.goto(`${served.url}/tasks/${task}`);
      await page.getByText('Version 2').waitFor();
      t.equal(await page.getByRole('link', { name: /still run/ }).count(), 0);
      await page.goto(`${served.url}/jobs/${job}?view=dashboards`);
      await page.getByRole('link', { name: 'New dashboard template' }).click();
      await page.getByText('No problems').waitFor();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('link', { name: '0 linked dashboards' }).click();
      await page.getByText('its jobs get one when they are created or upgraded').waitFor();
      await page.goto(`${served.url}/jobs/${job}?view=dashboards`);
      await page.getByRole('link', { name: 'Get those of its template' }).click();
      await page.getByRole('button', { name: 'Upgrade the job' }).click();
      await page.getByText('Job upgraded').waitFor();
      await start();
      await page.getByText('With warnings').first().waitFor();
      await page.getByRole('link', { name: 'Stops', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Stops' }).waitFor();
      t.same(complaints, []);
    },
  );
});
