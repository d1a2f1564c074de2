import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseDashboard } from '../../src/language/dashboard/parse-dashboard.ts';
import { parseTask } from '../../src/language/task/parse-task.ts';
import { parseJobTemplate } from '../../src/language/template/parse-template.ts';
import { defaultsOf } from '../../src/language/template/validate-job-config.ts';
import { type Connectors, driversWith, rowsOf, runYaml } from '../engine/support/task-run.ts';
import { allDrivers } from '../support/all-drivers.ts';
import { createDatabase } from '../support/postgres.ts';
import { payloadsOf } from './payloads.ts';

const examples = join(import.meta.dirname, '../../examples');
const data = join(import.meta.dirname, '../../node_modules/vega-datasets/data');
const FLIGHTS_READ = 20_000;

const yamlFiles = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yaml'),
);
const read = (file: string) => readFileSync(join(examples, file), 'utf8');

t.test('every YAML of the examples is valid', async (t) => {
  t.ok(yamlFiles.length >= 8, 'there are examples');
  for (const file of yamlFiles) {
    const text = read(file);
    const parsed = file.endsWith('.task.yaml')
      ? parseTask(text)
      : file.endsWith('.template.yaml')
        ? parseJobTemplate(text)
        : parseDashboard(text, { vars: {} });
    t.same(parsed.ok ? [] : parsed.problems, [], file);
  }
});

t.test('templates name tasks that are there, with connectors of the same type', async (t) => {
  const tasks = new Map(
    yamlFiles.flatMap((file) => {
      const parsed = file.endsWith('.task.yaml') ? parseTask(read(file)) : null;
      return parsed?.ok ? [[parsed.task.name, parsed.task] as const] : [];
    }),
  );
  for (const file of yamlFiles.filter((name) => name.endsWith('.template.yaml'))) {
    const parsed = parseJobTemplate(read(file));
    if (!parsed.ok) return t.fail(file);
    for (const node of Object.values(parsed.template.tasks)) {
      const task = tasks.get(node.task);
      if (task === undefined) return t.fail(`${file} names the task "${node.task}"`);
      for (const [local, { type }] of Object.entries(task.connectors)) {
        t.equal(
          parsed.template.connectors[node.connectors[local] ?? local]?.type,
          type,
          `${node.key}: ${local}`,
        );
      }
    }
  }
});

t.test('the flights run from their files to every widget', async (t) => {
  const folder = t.testdir();
  const warehouse = { type: 'sqlite', config: { path: join(folder, 'warehouse.db') } };
  const drivers = driversWith('parquet', (connection) => ({
    ...connection,
    read: (request) => connection.read({ ...request, limit: FLIGHTS_READ }),
  }));
  const template = parseJobTemplate(read('flights/flights.template.yaml'));
  if (!template.ok) return t.fail('the template is wrong');
  const jobConfig = defaultsOf(template.template.jobConfig);
  const run = async (name: string, connectors: Connectors, config = jobConfig) => {
    const yaml = read(`flights/${name}.task.yaml`);
    const outcome = await runYaml({ folder: '/', yaml, connectors, drivers, input: { jobConfig: config } });
    t.same(outcome.failure, null, name);
    t.equal(outcome.status, 'success', name);
    return outcome;
  };
  const flights = { type: 'parquet', config: { path: join(data, 'flights-3m.parquet') } };
  const airports = { type: 'csv', config: { path: join(data, 'airports.csv') } };

  const loaded = await run('load-airports', { airports, warehouse });
  const lines = readFileSync(airports.config.path, 'utf8').trimEnd().split('\n').length;
  t.equal(loaded.rows_out, lines - 1, 'every airport is loaded');
  await run('load-flights', { flights, warehouse });
  await run('daily-summary', { warehouse });

  const file = warehouse.config.path;
  t.same(rowsOf(file, 'SELECT * FROM flights LIMIT 1'), [
    {
      date: '2001-01-01',
      origin: 'LAS',
      destination: 'PHL',
      distance: 2176,
      delay: 33,
      hour: 0,
      route: 'LAS-PHL',
      late: 1,
    },
  ]);
  const totals = 'SELECT sum(flights) AS flights, sum(late) AS late FROM';
  const [expected] = rowsOf(file, 'SELECT count(*) AS flights, sum(delay > 15) AS late FROM flights');
  t.equal(expected?.['flights'], FLIGHTS_READ);
  for (const table of ['daily_summary', 'route_summary', 'hour_summary'])
    t.same(rowsOf(file, `${totals} ${table}`), [expected], table);
  t.same(
    rowsOf(file, 'SELECT DISTINCT origin FROM daily_summary WHERE state IS NULL'),
    [],
    'all have a state',
  );

  const widgets = await payloadsOf(read('flights/flights.dashboard.yaml'), { warehouse });
  t.equal(widgets.get('total')?.['value'], FLIGHTS_READ);
  t.same(
    widgets.get('flights_by_day')?.['x'],
    ['2001-01-01'],
    'the day that is still filling up is left out',
  );

  await run(
    'load-flights',
    { flights, warehouse },
    { report: { late_after_minutes: 60, airports: ['ORD', 'LAX'] } },
  );
  const chosen = rowsOf(file, 'SELECT DISTINCT origin FROM flights ORDER BY origin');
  t.same(chosen, [{ origin: 'LAX' }, { origin: 'ORD' }], 'the configuration chooses the airports');
  const [late] = rowsOf(file, 'SELECT min(delay) AS least FROM flights WHERE late');
  t.equal(late?.['least'], 61, 'the configuration says what is late');
});

t.test('the stores run one task for each of them, twice with the same result', async (t) => {
  const folder = t.testdir();
  const connectors = {
    files: { type: 'csv', config: { path: join(examples, 'stores/sales') } },
    warehouse: { type: 'sqlite', config: { path: join(folder, 'warehouse.db') } },
  };
  const yaml = read('stores/sync-stores.task.yaml');
  const tasks = { load_store_sales: parseTask(read('stores/load-store-sales.task.yaml')) };
  for (const id of [1, 2]) {
    const input = { run: { id, attempt: 1 }, tasks };
    const outcome = await runYaml({ folder: '/', yaml, connectors, input });
    t.match(outcome, { status: 'warning', failure: null, outputs: { stores: 3, sales: 5 }, rows_failed: 1 });
    t.match(outcome.keeper.letters, [{ task: 'load_store_sales', step_id: 'load/shape' }]);
    t.ok(outcome.keeper.logs.some(({ message }) => message === 'No sales: porto'));
  }
  t.same(rowsOf(connectors.warehouse.config.path, 'SELECT store, count(*) AS n FROM sales GROUP BY store'), [
    { store: 'berlin', n: 3 },
    { store: 'lyon', n: 2 },
  ]);
});

t.test('the orders run from their CSV into PostgreSQL, twice with the same result', async (t) => {
  const { url } = await createDatabase(t);
  const warehouse = { type: 'postgres', config: { url } };
  const file = { type: 'csv', config: { path: join(examples, 'csv-to-postgres/orders.csv') } };
  const yaml = read('csv-to-postgres/load-orders.task.yaml');
  const parsed = parseJobTemplate(read('csv-to-postgres/orders.template.yaml'));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { template } = parsed;
  const paid = readFileSync(file.config.path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith(',paid')).length;
  for (const id of [1, 2]) {
    const input = { run: { id, attempt: 1 }, jobConfig: defaultsOf(template.jobConfig) };
    const outcome = await runYaml({
      folder: '/',
      yaml,
      connectors: { file, warehouse },
      drivers: allDrivers,
      input,
    });
    t.same(outcome.failure, null);
    t.equal(outcome.status, 'success');
  }
  const widgets = await payloadsOf(read('csv-to-postgres/orders.dashboard.yaml'), { warehouse });
  t.equal(widgets.get('count')?.['value'], paid);
  t.equal(widgets.get('newest')?.['total'], paid);
  const revenue = Number(widgets.get('revenue')?.['value']);
  const slices = (widgets.get('by_country')?.['slices'] ?? []) as readonly { value: number }[];
  t.equal(Math.round(slices.reduce((sum, { value }) => sum + value, 0) * 100), Math.round(revenue * 100));
});
