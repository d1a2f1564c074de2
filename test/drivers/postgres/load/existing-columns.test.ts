import t from 'tap';
import { type Connection, ConnectorError, type Row } from '../../../../src/drivers/driver.ts';
import type { Lossy } from '../../../../src/drivers/values/holding.ts';
import {
  batchOf,
  column,
  engines,
  execute,
  fault,
  load,
  never,
  rowsOf,
  writeAll,
} from '../../sql/engines.ts';

const engine = engines.find(({ name }) => name === 'postgres');
const open = await engine?.prepare(t);
if (open === undefined) throw new Error('There is no PostgreSQL');

const unfit = (name: string) => Object.assign(fault('DATA'), { column: name });

/** What the column shows of the value in the engine's own words, or `refused`. */
async function shown(
  c: Connection,
  type: string,
  value: unknown,
  write: 'append' | 'insert',
): Promise<unknown> {
  await execute(c, 'DROP TABLE IF EXISTS people', `CREATE TABLE people (id int, v ${type})`);
  try {
    if (write === 'insert') await c.call('insert', { table: 'people', rows: [{ id: 1, v: value }] }, never);
    else await writeAll(c, { mode: 'append', loadId: type + String(value) }, batchOf([{ id: 1, v: value }]));
  } catch (error) {
    if (error instanceof ConnectorError && error.fault === 'DATA') {
      if (!error.message.includes('people') && !error.message.includes('fit')) throw error;
      return 'refused';
    }
    throw error;
  }
  return (await rowsOf(c, 'SELECT v::text AS v FROM people'))[0]?.['v'];
}

const CELLS: readonly (readonly [type: string, value: unknown, shown: string])[] = [
  ['numeric(10,2)', 1.555, 'refused'],
  ['numeric(10,2)', '1.50', '1.50'],
  ['numeric(10,2)', '1.5000', '1.50'],
  ['numeric(3,-2)', 123, 'refused'],
  ['numeric(3,-2)', 1200, '1200'],
  ['cents', 1.555, 'refused'],
  ['cents', 1.55, '1.55'],
  ['cents[]', [1.5, 1.555], 'refused'],
  ['cents[]', [1.5, null], '{1.50,NULL}'],
  ['numeric(10,2)[]', [[1.5], [2]], '{{1.50},{2.00}}'],
  ['integer', 1.5, 'refused'],
  ['integer', '7', '7'],
  ['integer', '0x1F', 'refused'],
  ['integer', '1_000', 'refused'],
  ['real', 16_777_217, 'refused'],
  ['real', 0.5, '0.5'],
  ['double precision', -0, '-0'],
  ['double precision', Number.NaN, 'NaN'],
  ['timestamp', '2020-01-01T10:00:00+02:00', '2020-01-01 08:00:00'],
  ['timestamp(0)', '2020-01-01T10:00:00.5Z', 'refused'],
  ['moment', '2020-01-01T10:00:00+02:00', '2020-01-01 08:00:00'],
  ['timestamp[]', ['2020-01-01T10:00:00+02:00'], '{"2020-01-01 08:00:00"}'],
  ['timestamptz', '2020-01-01T10:00:00', '2020-01-01 10:00:00+00'],
  ['timestamp', 'now', 'refused'],
  ['timestamp', 'infinity', 'infinity'],
  ['date', '2020-01-01T10:00:00Z', 'refused'],
  ['date', '2020-01-01T00:00:00Z', '2020-01-01'],
  ['date', '01/02/2026', 'refused'],
  ['date', 'today', 'refused'],
  ['time', '10:00:00+02', 'refused'],
  ['time(0)', '10:00:00.25', 'refused'],
  ['time', '24:00:00', '24:00:00'],
  ['varchar(3)', 'abc   ', 'refused'],
  ['varchar(3)', '😀😀😀', '😀😀😀'],
  ['char(3)', 'ab ', 'refused'],
  ['name', 'n'.repeat(64), 'refused'],
  ['"char"', 'ab', 'refused'],
  ['bit(3)', '101', '101'],
  ['bit(3)', '1010', 'refused'],
  ['varbit(3)', '1010', 'refused'],
  ['money', '1.555', 'refused'],
  ['money', '1.50', '$1.50'],
  ['interval', 'PT1.1234567S', 'refused'],
  ['interval', 'P1DT2H', 'P1DT2H'],
  ['interval year', 'P1Y2M', 'refused'],
  ['interval(0)', 'PT1.5S', 'refused'],
  ['uuid', '{00000000-0000-0000-0000-00000000000A}', '00000000-0000-0000-0000-00000000000a'],
  ['boolean', 'yes', 'true'],
  ['boolean', 2, 'refused'],
  ['boolean[]', [true, 'no'], '{t,f}'],
  ['mood', 'glad', 'glad'],
  ['mood', 1, 'refused'],
  ['mood[]', ['glad', 'odd'], 'refused'],
  ['text', true, 'true'],
  ['text', 7, '7'],
  ['text', '\ud800', 'refused'],
  ['jsonb', '{"a": 12345678901234567.89}', '{"a": 12345678901234567.89}'],
  ['jsonb', 'x', 'refused'],
  ['jsonb', '{"a": 1, "b": {"a": ": "}}', '{"a": 1, "b": {"a": ": "}}'],
  ['jsonb', '{"a": 1, "a": 2}', 'refused'],
  ['json', '{"a": 1, "a": 2}', '{"a": 1, "a": 2}'],
  ['bytea', 'hello world', 'refused'],
  ['bytea', '\\x00ff', 'refused'],
  ['bytea', 5, 'refused'],
  ['bytea', 'é', 'refused'],
  ['bytea[]', ['hello world'], 'refused'],
  ['inet[]', '{10.0.0.1,::1}', '{10.0.0.1,::1}'],
  ['int[]', '{1,2}', '{1,2}'],
  ['text[]', '{"a": 1}', 'refused'],
  ['text[]', '{"a,\\"b" , c d ,NULL,{}}', 'refused'],
  ['text[]', '{"a,\\"b" , c d ,NULL}', '{"a,\\"b","c d",NULL}'],
  ['int[]', [1.5], 'refused'],
];

t.test(
  'an existing column holds a value exactly, by rule, or refuses it, in a load and in a call',
  async (t) => {
    const c = await open(t);
    await execute(
      c,
      `CREATE TYPE mood AS ENUM ('sad', 'glad')`,
      'CREATE DOMAIN hundredths AS numeric(10,2)',
      'CREATE DOMAIN cents AS hundredths CHECK (VALUE < 1000)',
      'CREATE DOMAIN moment AS timestamp',
    );
    for (const [type, value, wanted] of CELLS) {
      t.equal(await shown(c, type, value, 'append'), wanted, `${type} <- ${JSON.stringify(value)}`);
      t.equal(await shown(c, type, value, 'insert'), wanted, `insert: ${type} <- ${JSON.stringify(value)}`);
    }
  },
);

t.test(
  'what a load may lose acts by column, and is counted; a batch that is taken back does not count',
  async (t) => {
    const c = await open(t);
    await execute(c, 'CREATE TABLE people (id int PRIMARY KEY, n numeric(10,2), d date, v varchar(3))');
    const lossy = new Map<string, Lossy>([
      ['n', 'round'],
      ['d', 'truncate'],
    ]);
    const writer = await c.openWriter(load({ mode: 'append', lossy }));
    const row = { id: 1, n: 1.555, d: '2020-01-01T10:00:00Z', v: 'abc' };
    await writer.write(batchOf([row]));
    await t.rejects(writer.write(batchOf([{ ...row, id: 2, v: 'abcd' }])), unfit('v'));
    await writer.write(batchOf([{ ...row, id: 3 }]));
    const { rows, lossy: lost } = await writer.commit();
    t.equal(rows, 2);
    t.strictSame(
      [...(lost ?? [])],
      [
        ['n', 2],
        ['d', 2],
      ],
    );
    t.strictSame(await rowsOf(c, 'SELECT id, n::text, d::text FROM people ORDER BY id'), [
      { id: 1, n: '1.56', d: '2020-01-01' },
      { id: 3, n: '1.56', d: '2020-01-01' },
    ]);
  },
);

t.test(
  'bytes come as base64 of a column of bytes, also in every keyed mode, and update refuses what does not fit',
  async (t) => {
    const c = await open(t);
    await execute(c, 'CREATE TABLE people (id int PRIMARY KEY, b bytea, n numeric(4,1))');
    const columns = [column('id', 'integer'), column('b', 'binary')];
    await writeAll(c, { mode: 'merge' }, { columns, rows: [{ id: 1, b: 'AP8=' }] as Row[] });
    t.strictSame(await rowsOf(c, `SELECT encode(b, 'hex') AS b FROM people`), [{ b: '00ff' }]);
    const update = (set: Row) => c.call('update', { table: 'people', set, filter: { id: 1 } }, never);
    await t.rejects(update({ n: 1.55 }), unfit('n'));
    await update({ n: '1.5' });
    t.strictSame(await rowsOf(c, 'SELECT n::text FROM people'), [{ n: '1.5' }]);
  },
);
