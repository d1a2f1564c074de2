// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/dashboards.test.ts, test/modules/dashboard-widgets/draft-dashboard.test.ts, test/modules/dashboard-widgets/input/widget-submit.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { serve } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

const TASK = `version: 1
name: customers
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ mapping: columns }], on_error: { action: fail } }
  - { id: write, kind: load, input: shape, connector: target, object: customers, mode: append }
`;

const TEMPLATE = `version: 1
name: customers
connectors: { source: { type: csv, required: true }, target: { type: sqlite, required: true } }
job_config:
  columns:
    type: field_mapping
    title: Columns
    allow_transform: true
    source: { options_source: { connector: source, method: columns, value_expr: item.name } }
    default: [{ source_field: id, target_field: id }, { source_field: town, target_field: city }]
tasks: { load: { task: customers } }
`;

const DASHBOARD = `title: Customers
pages:
  - id: all
    title: All
    widgets:
      - { id: columns, type: field_mapping, title: Columns }
      - { id: customers, type: table, title: Customers, connector: target, method: list, args: { table: customers } }
`;

await appTests(async (open) => {
  const served = await serve(t);
  const { api, folder, url } = served;
  const profile = await servedProfile(served);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'customers.csv'), 'id,town,country\n1,Bonn,DE\n');
  const make = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
  const source = await make('/api/connectors', {
    name: 'Customers of Nord',
    type: 'csv',
    config: { path: 'customers.csv' },
  });
  const target = await make('/api/connectors', {
    name: 'Warehouse',
    type: 'sqlite',
    config: { path: 'warehouse.db', create: true },
  });
  await make('/api/tasks', { yaml_content: TASK });
  const template = await make('/api/job-templates', { name: 'Customers', yaml_content: TEMPLATE });
  await make(`/api/job-templates/${template}/dashboard-templates`, {
    name: 'Customers',
    yaml_content: DASHBOARD,
  });
  const job = await make(`/api/job-templates/${template}/jobs`, {
    name: 'Nord',
    connector_mapping: { source, target },
  });

  t.test('a colleague changes a mapping and sees what it does', async (t) => {
    const { page, complaints } = await open(t, url, profile);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('link', { name: /^Nord/ }).click();
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByText('Columns').first().waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Add a row' }).click();
    await page.getByRole('combobox', { name: 'Source of row 3' }).click();
    await page.getByRole('option', { name: 'country' }).click();
    await page.getByRole('textbox', { name: 'Target of row 3' }).fill('city');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('The target "city" is mapped twice; keep one').waitFor();
    await checkLooks(t, page);
    await page.getByRole('textbox', { name: 'Target of row 3' }).fill('land');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('region', { name: 'Version 2' })
      .getByText(/\+.*land/)
      .waitFor();
    t.match(complaints.splice(0), [/400/]);
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('status').getByText('Succeeded').waitFor();
    await page.getByRole('link', { name: 'Nord', exact: true }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('link', { name: /^Customers #\d/ }).click();
    const shown = page.getByRole('article', { name: 'Customers' });
    await shown.getByRole('columnheader', { name: 'land' }).waitFor();
    await shown.getByRole('cell', { name: 'DE' }).waitFor();
    await checkLooks(t, page);
    t.same(complaints, []);
  });

  t.test('a colleague gives a row an expression on the dashboard, which later changes keep', async (t) => {
    const { page, complaints } = await open(t, `${url}/dashboards/1`, profile);
    const mapping = page.getByRole('form', { name: 'Columns' });
    const save = async () => {
      await mapping.getByRole('button', { name: 'Save' }).click();
      await mapping.getByText('Saved', { exact: true }).waitFor();
    };
    await mapping.getByRole('textbox', { name: 'Expression of row 2' }).fill('$uppercase(value)');
    await save();
    await mapping.getByRole('textbox', { name: 'Target of row 3' }).fill('nation');
    await mapping.getByRole('textbox', { name: 'Expression of row 1' }).fill('value +');
    await mapping.getByRole('button', { name: 'Save' }).click();
    await mapping.getByRole('button', { name: /^Row 1: / }).click();
    await checkLooks(t, page);
    t.match(complaints.splice(0), [/400/]);
    await mapping.getByRole('textbox', { name: 'Expression of row 1' }).fill('');
    await save();
    const { values } = await api.get<{ values: { columns: object[] } }>(`/api/jobs/${job}/config`);
    t.same(values.columns, [
      { source_field: 'id', target_field: 'id', transform: null },
      { source_field: 'town', target_field: 'city', transform: '$uppercase(value)' },
      { source_field: 'country', target_field: 'nation', transform: null },
    ]);
    t.same(complaints, []);
  });

  t.test('a dashboard is drawn below its text, and keeps its last good form', async (t) => {
    const { page, complaints } = await open(t, `${url}/dashboard-templates/1?view=edit`, profile);
    const drawn = page.getByRole('region', { name: 'Live draft' }).last();
    await drawn.getByRole('article', { name: 'Customers' }).getByRole('cell', { name: 'DE' }).waitFor();
    await checkLooks(t, page);
    const text = page.getByRole('textbox', { name: 'YAML: Customers' });
    await text.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText(
      '      - { id: first, type: stat, title: First town, connector: target, method: list, args: { table: customers }, value_expr: "data[0].city" }\n',
    );
    await drawn.getByRole('article', { name: 'First town' }).getByText('Bonn').waitFor();
    await page.keyboard.insertText('  nonsense: [');
    await drawn.getByText('This is its last valid state').waitFor();
    t.equal(await drawn.getByRole('article', { name: 'First town' }).getByText('Bonn').count(), 1);
    t.ok(
      complaints.every((one) => one.includes('400')),
      'the browser names the refusals, and nothing else',
    );
    const { result } = await api.get<{ result: { yaml_content: string }[] }>('/api/dashboards');
    t.equal(result[0]?.yaml_content, DASHBOARD, 'nothing is saved');
  });
});
