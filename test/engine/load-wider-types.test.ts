import t from 'tap';
import { execute, never, rowsOf } from '../drivers/sql/engines.ts';
import { ofFullList } from '../support/fault-list.ts';
import { onEachDatabase } from './support/sql-targets.ts';
import { runYaml } from './support/task-run.ts';

const FILES = {
  'prices.csv': `sku,amount,price,day,note
a,1,10.5,2026-01-02,ok
b,3000000000,10.5,2026-01-03,ok
c, 2.5 ,1234567.125,2026-01-04T10:30:00Z,longer
d,,,,-
e,7,1,2026-01-06T00:00:00Z,ok
`,
  'bad.csv': 'sku,amount,price,day,note\na,2.5,1,2026-01-02,ok\nb,n/a,1,2026-01-03,ok\nc,5,1,soon,ok\n',
  // The first thousand rows decide the types.
  'many.csv': `sku,amount,price,day,note\n${Array.from({ length: 1_001 }, (_, n) => `a${n},1,1,2026-01-02,ok\n`).join('')}z,2.5,1,2026-01-04T10:30:00Z,ok\n`,
  'more.csv': 'sku,amount,price,day,note\na,0.25,1,2026-01-02T08:00:00Z,ok\n',
  'late.csv': 'sku,amount,price,day,note\na,2.5,1,2026-01-02,ok\n,3,1,2026-01-02,ok\n',
};
const SOURCE = { type: 'csv', config: { path: '.' } };

const yaml = (type: string, keys: string, file: string) => `
version: 1
name: prices
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: ${file}, typed: false}, batch: {size: 2} }
  - { id: write, kind: load, input: read, connector: target, object: prices, batch: {size: 2}, schema: {types: evolve}, ${keys} }
`;

/** An append of a run that has gone well does nothing a second time. */
let runs = 900;

const COLUMNS =
  "sku varchar(20) PRIMARY KEY, amount integer DEFAULT 7, price numeric(6,2), day date, note varchar(4) NOT NULL DEFAULT '-'";

const others = { postgres: ofFullList.skip, mysql: ofFullList.skip };

onEachDatabase(
  t,
  FILES,
  async (t, { connector, connection: c }, folder) => {
    const run = (keys: string, file = 'prices.csv') => {
      const input = { run: { id: ++runs, attempt: 1 } };
      const connectors = { source: SOURCE, target: connector };
      return runYaml({ folder, yaml: yaml(connector.type, keys, file), connectors, input });
    };
    const prepare = (columns = COLUMNS) =>
      execute(c, 'DROP TABLE IF EXISTS prices', `CREATE TABLE prices (${columns})`);
    const typesOf = async () =>
      Object.fromEntries((await c.describe('prices', never)).map(({ name, type }) => [name, type]));
    const declared = async () =>
      Object.fromEntries(
        (await c.describe('prices', never)).map(({ name, native_type = '' }) => [name, native_type]),
      );
    const rows = async () =>
      (await rowsOf(c, 'SELECT sku, amount, price, day FROM prices ORDER BY sku')).map(
        ({ sku, amount, price, day }) => [
          sku,
          amount === null ? null : Number(amount),
          price === null ? null : Number(price),
          day === null ? null : String(day).replace('.000000', ''),
        ],
      );
    const ROWS = [
      ['a', 1, 10.5, '2026-01-02T00:00:00Z'],
      ['b', 3_000_000_000, 10.5, '2026-01-03T00:00:00Z'],
      ['c', 2.5, 1_234_567.125, '2026-01-04T10:30:00Z'],
      ['d', null, null, null],
      ['e', 7, 1, '2026-01-06T00:00:00Z'],
    ];

    for (const mode of [
      'mode: append',
      'mode: merge, key: [sku]',
      'mode: merge, key: [sku], on_error: skip',
      'mode: insert_only, key: [sku], on_error: dead_letter',
      'mode: replace',
      'mode: truncate_insert',
      'mode: scd2, key: [sku]',
    ]) {
      t.test(`${mode}: columns grow to what the rows need`, async (t) => {
        await prepare(
          mode.includes('scd2')
            ? `${COLUMNS.replace(' PRIMARY KEY', '')}, valid_from ${MOMENT[connector.type]}, valid_to ${MOMENT[connector.type]}, is_current boolean, _row_hash varchar(64)`
            : COLUMNS,
        );
        const { keeper, ...outcome } = await run(mode);
        t.match(outcome, { status: 'success', rows_in: 5, rows_out: 5 }, outcome.failure?.message ?? '');
        t.match(await typesOf(), { amount: 'decimal', day: 'timestamp', note: 'string' });
        t.strictSame(await rows(), ROWS);
        const changes = outcome.steps.find(({ step_id }) => step_id === 'write')?.schema_changes ?? [];
        const last = Object.fromEntries(changes.map(({ column, to }) => [column, to]));
        const now = await declared();
        for (const [column, to] of Object.entries(last)) t.equal(now[column], to, column);
        t.match(
          Object.keys(last).sort(),
          connector.type === 'sqlite' ? ['amount', 'day'] : ['amount', 'day', 'note', 'price'],
        );
        const told = keeper.logs.filter(({ message }) => message.includes('becomes'));
        t.equal(told.length, changes.length);
        t.ok(told.every(({ level, step_id }) => level === 'warn' && step_id === 'write'));
      });
    }

    t.test('what else is declared of a column stays, and so do indexes', async (t) => {
      await prepare();
      await execute(c, 'CREATE UNIQUE INDEX prices_by_amount ON prices (amount, sku)');
      t.match(await run('mode: append'), { status: 'success' });
      await execute(c, "INSERT INTO prices (sku) VALUES ('z')");
      const [last] = (await rowsOf(c, "SELECT amount, note FROM prices WHERE sku = 'z'")) as [
        { amount: unknown; note: unknown },
      ];
      t.strictSame([Number(last.amount), last.note], [7, '-']);
      await t.rejects(execute(c, "INSERT INTO prices (sku) VALUES ('z')"), /z|UNIQUE|unique/);
      t.match(await run('mode: merge, key: [sku]', 'more.csv'), { status: 'success' });
      t.equal((await rows())[0]?.[1], 0.25);
    });

    t.test('a table that the load makes grows with its later rows', async (t) => {
      await execute(c, 'DROP TABLE IF EXISTS prices');
      const typed = yaml(connector.type, 'mode: replace', 'many.csv').replace(', typed: false', '');
      const input = { run: { id: ++runs, attempt: 1 } };
      const { failure, ...outcome } = await runYaml({
        folder,
        yaml: typed.replaceAll('batch: {size: 2}', 'batch: {size: 400}'),
        connectors: { source: SOURCE, target: connector },
        input,
      });
      t.match(outcome, { status: 'success', rows_out: 1_002 }, failure?.message ?? '');
      t.match(await typesOf(), { amount: 'decimal', day: 'timestamp' });
      t.strictSame((await rows()).at(-1), ['z', 2.5, 1, '2026-01-04T10:30:00Z']);
      t.strictSame((await rows())[0], ['a0', 1, 1, '2026-01-02T00:00:00Z']);
    });

    t.test('a value that no wider type of the kind holds fails its row', async (t) => {
      await prepare();
      const skipped = await run('mode: merge, key: [sku], on_error: dead_letter', 'bad.csv');
      t.match(skipped, { status: 'warning', rows_in: 3, rows_out: 1, rows_failed: 2 });
      t.strictSame(
        skipped.keeper.letters.map(({ column, value, origin, message }) => [
          column,
          value,
          origin?.line,
          message,
        ]),
        [
          ['amount', 'n/a', 3, '"amount" of "prices" is decimal, and no wider type holds "n/a"'],
          ['day', 'soon', 4, '"day" of "prices" is date, and no wider type holds "soon"'],
        ],
      );
      t.strictSame(
        (await rows()).map(([sku, amount]) => [sku, amount]),
        [['a', 2.5]],
      );
      await prepare();
      const before = await declared();
      t.match(await run('mode: append', 'bad.csv'), {
        status: 'error',
        failure: { message: /no wider type holds "n\/a"/ },
      });
      t.strictSame(await declared(), before);
    });

    t.test('a load that fails leaves the columns as they were', async (t) => {
      for (const mode of [
        'mode: append',
        'mode: merge, key: [sku]',
        'mode: replace',
        'mode: truncate_insert',
      ]) {
        await prepare(`${COLUMNS}, CHECK (note <> 'longer')`);
        const before = await declared();
        const { status, failure, steps } = await run(mode);
        t.equal(status, 'error', mode);
        t.match(failure?.message, /CHECK|check|CONSTRAINT/);
        // There a change of a table commits by itself: where one came before the failure it is told of.
        const stays = connector.type === 'mysql' && !mode.includes('replace') && !mode.includes('truncate');
        if (stays) t.match(failure?.message, /No row was loaded; the wider types of .*"note" stay/);
        else t.strictSame(await declared(), before, mode);
        t.strictSame(
          steps.flatMap(({ schema_changes }) => schema_changes),
          [],
        );
      }
    });

    if (connector.type === 'mysql')
      t.test('what commits by itself is told of where the rows do not come', async (t) => {
        await prepare(
          COLUMNS.replace('amount integer DEFAULT 7', 'amount integer NOT NULL').replace(' PRIMARY KEY', ''),
        );
        await execute(c, 'CREATE UNIQUE INDEX prices_by_note ON prices (note)');
        const { failure } = await run('mode: append', 'late.csv');
        t.match(failure?.message, /Duplicate|same key|already/i);
        t.match(failure?.message, /No row was loaded; the wider types of "amount" stay/);
        t.match(await declared(), { amount: 'decimal(11,1)' });
        t.strictSame(await rows(), []);
      });

    t.test('what depends on a column keeps its type, and the load is refused', async (t) => {
      await prepare();
      const dependent: Readonly<Record<string, string>> = {
        postgres: 'CREATE VIEW seen AS SELECT amount FROM prices',
        mysql: 'CREATE TABLE seen (sku varchar(20), FOREIGN KEY (sku) REFERENCES prices (sku))',
        sqlite: 'CREATE TABLE seen (sku varchar(20) REFERENCES prices (sku))',
      };
      await execute(c, dependent[connector.type] ?? '');
      const { status, failure } = await run('mode: merge, key: [sku]');
      // No other table depends on what grows here.
      if (connector.type === 'mysql') return void t.equal(status, 'success');
      t.match(failure, {
        message: /"prices" cannot get wider columns: .*"amount".*by hand/s,
        step_id: 'write',
      });
      t.match(await typesOf(), { amount: 'integer' });
    });
  },
  others,
);

const MOMENT: Readonly<Record<string, string>> = {
  sqlite: 'TIMESTAMP',
  postgres: 'timestamptz',
  mysql: 'datetime(6)',
};
