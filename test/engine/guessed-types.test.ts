import { join } from 'node:path';
import t from 'tap';
import { createKeeper, rowsOf, runYaml } from './support/task-run.ts';

const CONNECTORS = {
  source: { type: 'csv', config: { path: 'in.csv' } },
  target: { type: 'sqlite', config: { path: 'out.db' } },
};
/** More than the lines that a type is guessed from. */
const NUMBERS = Array.from({ length: 20_000 }, (_, index) => `${index},${index}`);

t.test('a type that was guessed and does not hold is told with its line, once', async (t) => {
  const lines = ['id,amount', ...NUMBERS, '20000,n/a', ...NUMBERS, '20001,none'];
  const folder = t.testdir({ 'in.csv': `${lines.join('\n')}\n` });
  const yaml = `version: 1
name: guessed
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: rows, mode: replace }
`;
  const keeper = createKeeper();
  const outcome = await runYaml({ folder, yaml, connectors: CONNECTORS, keeper });
  t.equal(outcome.status, 'success');
  const warnings = keeper.logs.filter(({ level }) => level === 'warn');
  t.match(warnings, [
    {
      message:
        'Column "amount" was inferred as integer at first and is string from line 20002 of in.csv on; add a cast to fix its type',
    },
  ]);
  t.equal(warnings.length, 1);
  t.same(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM rows'), [{ n: 40_002 }]);
});

t.test('formats and locales of casts make typed rows, and dead letters of what does not exist', async (t) => {
  const lines = ['id;day;price', '1;31.01.2026;1.234,50', '2;31.02.2026;1,00', '3;1. März 2026;-2,5', '4;;'];
  const folder = t.testdir({ 'in.csv': `${lines.join('\n')}\n` });
  const yaml = `version: 1
name: written
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: { typed: false } }
  - id: shape
    kind: transform
    input: read
    ops:
      - cast:
          id: integer
          day: { type: date, format: [DD.MM.YYYY, D. MMMM YYYY], locale: de }
          price: { type: decimal, locale: de }
    on_error: dead_letter
  - { id: write, kind: load, input: shape, connector: target, object: rows }
`;
  const keeper = createKeeper();
  await runYaml({ folder, yaml, connectors: CONNECTORS, keeper });
  t.same(rowsOf(join(folder, 'out.db'), 'SELECT id, day, price FROM rows ORDER BY id'), [
    { id: 1, day: '2026-01-31', price: '1234.50' },
    { id: 3, day: '2026-03-01', price: '-2.5' },
    { id: 4, day: null, price: null },
  ]);
  t.match(keeper.letters, [
    {
      code: 'CAST_ERROR',
      message: 'Column "day": "31.02.2026" is not a date written as "DD.MM.YYYY" or "D. MMMM YYYY"',
      origin: { file: 'in.csv', line: 3 },
      column: 'day',
      value: '31.02.2026',
    },
  ]);
});
