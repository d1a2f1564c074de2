import t from 'tap';
import { columnsOf, runQuery } from './sql-scene.ts';

const folder = t.testdir({});

t.test('a value of each type goes through a query and comes back as it was, nulls included', async (t) => {
  const columns = {
    whole: 'integer',
    large: 'integer',
    number: 'number',
    decimal: 'decimal',
    flag: 'boolean',
    day: 'date',
    time: 'time',
    at: 'timestamp',
    text: 'string',
    bytes: 'binary',
    list: 'json',
    record: 'json',
    odd: 'unknown',
  } as const;
  const rows = [
    {
      whole: 9007199254740991,
      large: '170141183460469231731687303715884105727',
      number: 0.1,
      decimal: '12345678901234567890.123456789',
      flag: true,
      day: '0001-01-01',
      time: '23:59:59.123456',
      at: '2024-02-29T12:00:00.000001Z',
      text: `O'Brien "x" \n €`,
      bytes: Buffer.from([0, 255, 7]).toString('base64'),
      list: [1, null, 'a', { b: [] }],
      record: { a: { b: 1.5 }, c: null },
      odd: 'x',
    },
    { ...Object.fromEntries(Object.keys(columns).map((name) => [name, null])) },
    {
      whole: '-9223372036854775808',
      large: -1,
      number: -1e300,
      decimal: '-0.000000001',
      flag: false,
      day: '9999-12-31',
      time: '00:00:00',
      at: '1969-12-31T23:59:59.5Z',
      text: '',
      bytes: '',
      list: [],
      record: {},
      odd: null,
    },
  ];
  const made = await runQuery({ folder, tables: { r: { columns, rows } }, query: 'SELECT * FROM r' });
  t.equal(made.failure, null);
  t.strictSame(made.columns, { ...columns, odd: 'string' });
  t.strictSame(made.rows, [rows[0], rows[1], { ...rows[2], decimal: '-0.000000001' }]);
});

t.test('zones, nested types and what only SQL makes', async (t) => {
  const made = await runQuery({
    folder,
    tables: {
      r: { columns: { at: 'timestamp', id: 'integer' }, rows: [{ at: '2024-03-31T02:30:00+02:00', id: 1 }] },
    },
    query: `SELECT "at", "at" AT TIME ZONE 'Europe/Berlin' AS local, date_trunc('day', "at") AS day, [1, NULL, 3] AS list,
  {'a': 9007199254740993::BIGINT, 'b': {'c': DATE '2024-01-01'}} AS record, MAP {'k': 1.50::DECIMAL(4,2)} AS map,
  9223372036854775807::BIGINT AS large, 'ab'::BLOB AS bytes, INTERVAL 3 DAY AS span, NULL AS nothing,
  '{"n": 9007199254740993}'::JSON AS doc, uuid '00000000-0000-0000-0000-000000000001' AS id2, 1.0::FLOAT AS f FROM r`,
  });
  t.equal(made.failure, null);
  t.strictSame(made.rows, [
    {
      at: '2024-03-31T00:30:00Z',
      local: '2024-03-31T01:30:00Z',
      day: '2024-03-31T00:00:00Z',
      list: [1, null, 3],
      record: { a: '9007199254740993', b: { c: '2024-01-01' } },
      map: { k: '1.50' },
      large: '9223372036854775807',
      bytes: 'YWI=',
      span: '3 days',
      nothing: null,
      doc: { n: '9007199254740993' },
      id2: '00000000-0000-0000-0000-000000000001',
      f: 1,
    },
  ]);
});

t.test('a column that changes on the way keeps every value', async (t) => {
  const batches = [
    { columns: columnsOf({ v: 'integer', w: 'integer', x: 'json' }), rows: [{ v: 1, w: 1, x: { a: 1 } }] },
    {
      columns: columnsOf({ v: 'number', w: 'string', x: 'string' }),
      rows: [{ v: 1.5, w: 'n/a', x: 'text' }],
    },
    {
      columns: columnsOf({ v: 'decimal', w: 'string', x: 'string', y: 'boolean' }),
      rows: [{ v: '2.25', w: 'b', x: '1', y: true }],
    },
  ];
  const made = await runQuery({ folder, tables: { r: batches }, query: 'SELECT * FROM r' });
  t.equal(made.failure, null);
  t.strictSame(made.rows, [
    { v: '1.00', w: '1', x: { a: 1 }, y: null },
    { v: '1.50', w: 'n/a', x: 'text', y: null },
    { v: '2.25', w: 'b', x: '1', y: true },
  ]);
});
