import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { plainDecimal } from '../../../src/base/text/plain-decimal.ts';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Column, Connection, Driver, Row } from '../../../src/drivers/driver.ts';
import { excelDriver } from '../../../src/drivers/excel/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { xmlDriver } from '../../../src/drivers/xml/driver.ts';
import { fewOrMany } from '../../support/fault-list.ts';
import { sheetRow, workbookFile } from '../excel/workbook-file.ts';
import { connectS3, context, rowsOf, signal } from './s3/connect-s3.ts';

async function connect(
  t: Test,
  files: Record<string, string | Buffer>,
  driver: Driver = csvDriver,
  config: object = {},
) {
  const folder = t.testdir();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const local = { ...context, fileRoots: [folder] };
  return { folder, connection: await connectS3(t, { path: folder, ...config }, driver, local) };
}

const ask = (connection: Connection, file: string, sql = 'SELECT * FROM t') =>
  rowsOf(connection, { sql, tables: { t: file } }, { method: 'query' });

/** Moments in one form, decimals without zeros at their end; what is absent is null to SQL. */
function plain(value: unknown, type: Column['type']): unknown {
  if (value === undefined || value === null) return null;
  if (type === 'decimal')
    return plainDecimal(String(value))
      .replace(/^-?(?=\.)/, (sign) => `${sign}0`)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
  if (type !== 'timestamp') return value;
  const text = String(value).replace(' ', 'T');
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
  const fraction = /\.(\d+)/.exec(zoned)?.[1]?.replace(/0+$/, '') ?? '';
  return `${new Date(zoned.replace(/\.\d+/, '')).toISOString().slice(0, 19)}.${fraction}`;
}

async function compare(t: Test, connection: Connection, file: string): Promise<void> {
  const wanted: Row[] = [];
  let columns: readonly Column[] = [];
  for await (const batch of connection.read({ method: 'read', args: { file }, signal })) {
    wanted.push(...batch.rows);
    columns = batch.columns;
  }
  const found: Row[] = [];
  let names: readonly string[] = [];
  const args = { sql: 'SELECT * FROM t', tables: { t: file } };
  try {
    for await (const batch of connection.read({ method: 'query', args, signal })) {
      found.push(...batch.rows);
      names = batch.columns.map(({ name }) => name);
    }
  } catch (error) {
    // Decimals of DuckDB have 38 digits: more are refused by name.
    t.match(error, { fault: 'CONFIG', message: /have \d+ digits; at most 38 are supported/ });
    return;
  }
  const shown = (rows: readonly Row[]) =>
    rows.map((row) => columns.map(({ name, type }) => [name, plain(row[name], type)]));
  t.strictSame(
    names,
    columns.map(({ name }) => name),
  );
  t.strictSame(shown(found), shown(wanted));
}

const FIELDS = [
  '',
  '""',
  '1',
  '-7',
  '007',
  '1.50',
  '12345678901234567.89',
  '1234567890123456789012',
  '1e3',
  '.5',
  'true',
  'FALSE',
  '2026-01-31',
  '2026-01-31 10:00:00',
  '2026-01-31T10:00:00.123456+02:00',
  'x',
  '"a;b"',
  '"a,b"',
  '"a\nb"',
  '"say ""hi"""',
  ' blank ',
  'NaN',
  'null',
  '"1"',
  'ä€😀',
  'a;b',
  "'q'",
  '\\N',
  '#x',
];
const NAMES = [
  'a',
  'order',
  ' ',
  '"select"',
  '__proto__',
  'constructor',
  'ä',
  'column_2',
  'x y',
  'headgate',
  '1',
];
const runs = fewOrMany(6, 60);

t.test('a query over any CSV file has the rows that read gives', async (t) => {
  const table = fc.record({
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 5 }),
    pools: fc.array(fc.uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1, maxLength: 3 }), {
      minLength: 5,
      maxLength: 5,
    }),
    picks: fc.array(fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 12 }),
    delimiter: fc.constantFrom(',', ';', '\t'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    isPacked: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(table, async ({ names, pools, picks, delimiter, lineEnd, isPacked }) => {
      const quoted = (field: string) =>
        field.includes(delimiter) && !field.startsWith('"') ? `"${field}"` : field;
      const lines = picks.map((pick) =>
        names.map((_, at) => quoted(pools[at]?.[(pick[at] ?? 0) % (pools[at]?.length ?? 1)] ?? '')),
      );
      const text = [names.map((name) => name.replaceAll('"', '')), ...lines]
        .map((line) => line.join(delimiter) + lineEnd)
        .join('');
      const name = isPacked ? 'a.csv.gz' : 'a.csv';
      const { connection } = await connect(t, { [name]: isPacked ? gzipSync(text) : text }, csvDriver, {
        delimiter,
      });
      await compare(t, connection, name);
    }),
    { numRuns: runs },
  );
});

t.test('a query over any JSON file has the rows that read gives', async (t) => {
  const number = fc.constantFrom(
    '1',
    '-0.5',
    '9007199254740993',
    '1234567890123456789012',
    '12345678901234567.89',
    '1e300',
    '0.1',
  );
  const scalar = fc.oneof(
    number,
    fc.constantFrom('null', 'true', '""', '"x"', '"2026-01-31T10:00:00Z"', '"12"', '"a\\u0000b"'),
  );
  const name = fc.constantFrom('a', 'b', 'order', '__proto__', 'constructor', 'ä');
  const object = (value: fc.Arbitrary<string>) =>
    fc.array(fc.tuple(name, value), { maxLength: 4 }).map((fields) => {
      const own = new Map(fields);
      return `{${[...own].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
    });
  const nested = fc.oneof(
    scalar,
    scalar,
    object(scalar),
    fc.array(scalar, { maxLength: 3 }).map((all) => `[${all.join(',')}]`),
  );
  const records = fc.array(object(nested), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(records, fc.boolean(), async (all, isList) => {
      const file = isList ? 'a.json' : 'a.ndjson';
      const text = isList ? `[${all.join(',')}]` : all.join('\n');
      const { connection } = await connect(t, { [file]: text }, jsonDriver);
      if (all.every((record) => record === '{}')) {
        await t.rejects(ask(connection, file), { message: /has no columns/ });
        return;
      }
      await compare(t, connection, file);
    }),
    { numRuns: runs },
  );
});

t.test('nothing that another reader would find is lost', async (t) => {
  const late = Array.from({ length: 25_000 }, (_, id) => `{"id":${id},"v":${id}}\n`).join('');
  const { connection } = await connect(
    t,
    { 'late.ndjson': `${late}{"id":25000,"v":1,"extra":"important"}\n` },
    jsonDriver,
  );
  t.strictSame(await ask(connection, 'late.ndjson', 'SELECT * FROM t WHERE id >= 25000'), [
    { id: 25_000, v: 1, extra: 'important' },
  ]);
  t.strictSame(await ask(connection, 'late.ndjson', 'SELECT count(*) AS n, count(extra) AS m FROM t'), [
    { n: 25_001, m: 1 },
  ]);
  const shapes = await connect(t, { 'a.ndjson': '{"x":{"a":1}}\n{"x":{"b":1,"__proto__":2}}\n' }, jsonDriver);
  t.strictSame(await ask(shapes.connection, 'a.ndjson', 'SELECT x, x.a AS a FROM t'), [
    { x: { a: 1 }, a: 1 },
    { x: JSON.parse('{"b":1,"__proto__":2}'), a: null },
  ]);
  const csv = await connect(t, {
    'odd.csv': 'c0\nv0\na;b\n',
    'late.csv': `id,v\n${'1,2\n'.repeat(60_000)}2,x\n`,
    'case.csv': 'a,A\n1,2\n',
    'sep.csv': 'sep=;\nid;v\n1;2,5\n',
    'old.csv': Buffer.from('id,v\n1,\x80\n', 'latin1'),
    'fine.csv': 'id,at\n1,2026-01-01 10:00:00.123456789\n',
    'none.csv': '',
  });
  t.strictSame(await ask(csv.connection, 'odd.csv'), [{ c0: 'v0' }, { c0: 'a;b' }]);
  t.strictSame(
    await ask(csv.connection, 'late.csv', 'SELECT v, count(*) AS n FROM t GROUP BY v ORDER BY v'),
    [
      { v: '2', n: 60_000 },
      { v: 'x', n: 1 },
    ],
  );
  await t.rejects(ask(csv.connection, 'case.csv'), {
    fault: 'CONFIG',
    message: /"A" beside "a", which are one name in SQL/,
  });
  t.strictSame(await ask(csv.connection, 'sep.csv'), [{ id: 1, v: 2.5 }]);
  await t.rejects(ask(csv.connection, 'old.csv'), { fault: 'DATA', message: /is not UTF-8 text/ });
  await t.rejects(ask(csv.connection, 'fine.csv'), {
    fault: 'CONFIG',
    message: /"2026-01-01 10:00:00.123456789" in the column "at" is finer/,
  });
  await t.rejects(ask(csv.connection, 'none.csv'), { fault: 'CONFIG', message: /has no columns/ });
  const old = await connect(t, { 'old.csv': Buffer.from('id,v\n1,\x80\n', 'latin1') }, csvDriver, {
    encoding: 'windows-1252',
  });
  t.strictSame(await ask(old.connection, 'old.csv'), [{ id: 1, v: '€' }]);
});

t.test('documents, workbooks and XML files are queried as they are read', async (t) => {
  const document = await connect(t, { 'a.json': '{"data":{"items":[{"id":1},{"id":2}]}}' }, jsonDriver, {
    records: 'data.items',
  });
  t.strictSame(await ask(document.connection, 'a.json', 'SELECT sum(id) AS n FROM t'), [{ n: 3 }]);
  const rows = sheetRow(1, ['id', 'v']) + sheetRow(2, [1, 'x']) + sheetRow(3, [2, 'y']);
  const workbook = await connect(t, { 'a.xlsx': workbookFile({ rows }) }, excelDriver);
  await compare(t, workbook.connection, 'a.xlsx');
  const xml = await connect(t, { 'a.xml': '<r><i><v>1</v></i><i><v>ä</v></i></r>' }, xmlDriver, {
    records: 'r/i',
  });
  await compare(t, xml.connection, 'a.xml');
});

t.test('a file that changes in the middle of a query is noticed', async (t) => {
  const plain = `id,v\n${Array.from({ length: 400_000 }, (_, id) => `${id},value-${id}\n`).join('')}`;
  const { folder, connection } = await connect(t, { 'a.csv': plain, 'b.csv': `${plain}7,"x" \n` });
  // What the engine reads by itself is read anew where it has changed.
  for (const [file, delays] of [
    ['a.csv', [50, 300, 600]],
    ['b.csv', Array.from({ length: 20 }, (_, i) => 100 + i * 100)],
  ] as const) {
    const seen = new Set<unknown>();
    for (const delay of delays) {
      if (seen.has('changed')) break;
      writeFileSync(join(folder, file), file === 'a.csv' ? plain : `${plain}7,"x" \n`);
      const change = setTimeout(() => truncateSync(join(folder, file), 1_000), delay);
      const answer = await ask(connection, file, 'SELECT count(*) AS n FROM t').then(
        ([row]) => row?.['n'],
        ({ message }: Error) =>
          message === `The file "${file}" changed while it was read` ? 'changed' : message,
      );
      clearTimeout(change);
      seen.add(answer);
    }
    if (file === 'b.csv') t.ok(seen.has('changed'), file);
    const whole = file === 'a.csv' ? 400_000 : 400_001;
    t.strictSame(
      [...seen].filter((answer) => !['changed', whole, 85].includes(answer as number)),
      [],
    );
  }
});
