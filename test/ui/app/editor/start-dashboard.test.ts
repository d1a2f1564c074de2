import t from 'tap';
import { parseDashboard } from '../../../../src/language/dashboard/parse-dashboard.ts';
import { startDashboard, tasksOf } from '../../../../src/ui/screens/templates/start-dashboard.ts';
import { allDrivers } from '../../../support/all-drivers.ts';

type Start = Parameters<typeof startDashboard>;
const types = allDrivers.catalogue() as unknown as Start[2];

const template = {
  dag: {
    tasks: {
      first: { task: 'orders' },
      second: { task: 'people', connectors: { target: 'documents' } },
      third: { task: 'orders' },
    },
    levels: [['first'], ['second', 'third']],
  },
  connectors: {
    target: { type: 'postgres' },
    documents: { type: 'mongodb' },
    file: { type: 'csv' },
  },
} as unknown as Start[0];
const load = (connector: string, object: string) =>
  `  - { id: ${connector}_${object.length}, kind: load, input: read, connector: ${connector}, object: ${JSON.stringify(object)}, mode: append }\n`;

t.test('a new dashboard begins with what the tasks of the job template load', async (t) => {
  t.same(tasksOf(template), ['orders', 'people']);
  const texts = new Map([
    ['orders', `steps:\n${load('target', 'sales.orders')}${load('file', 'rows.csv')}`],
    ['people', `steps:\n${load('target', 'people')}`],
  ]);
  const { text } = startDashboard(template, texts, types);
  const parsed = parseDashboard(text);
  t.match(parsed, { ok: true }, text);
  const lines = text.split('\n').filter((line) => line.includes('type: table'));
  t.match(lines, [
    /id: sales_orders, .*connector: target, method: list, args: \{ table: sales.orders \}/,
    /id: people, .*connector: documents, method: find, args: \{ collection: people \}/,
  ]);
  t.equal(lines.length, 2, 'once each, and no file');
});

t.test('names and texts that are anything leave it as small as it can be', async (t) => {
  for (const object of ['{{ args.table }}', 'a b', 'x, method: delete', '', 'progress'])
    t.notMatch(
      startDashboard(template, new Map([['orders', `steps:\n${load('target', object)}`]]), types).text,
      'table',
    );
  for (const yaml of ['', '[', 'steps: 1', 'steps: [1, null]', '*a', 'steps: [{ kind: load }]'])
    t.match(parseDashboard(startDashboard(template, new Map([['orders', yaml]]), types).text), { ok: true });
  const empty = { dag: null, connectors: null };
  t.match(startDashboard(empty, new Map(), []).text, 'task_key: load');
});
