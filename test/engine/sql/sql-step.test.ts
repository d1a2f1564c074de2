import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fewOrAll } from '../../support/fault-list.ts';
import { createKeeper } from '../support/task-run.ts';
import { runQuery } from './sql-scene.ts';

const folder = t.testdir({ 'secret.txt': 'x\n' });
const orders = {
  columns: { id: 'integer', currency: 'string', amount: 'decimal' },
  rows: [
    { id: 1, currency: 'EUR', amount: '10.10' },
    { id: 2, currency: 'USD', amount: '20.20' },
    { id: 3, currency: 'EUR', amount: '0.05' },
  ],
} as const;
const rates = {
  columns: { currency: 'string', rate: 'decimal' },
  rows: [
    { currency: 'EUR', rate: '1' },
    { currency: 'USD', rate: '0.9' },
  ],
} as const;

t.test('a query joins the rows of two steps, and the report counts what went in and came out', async (t) => {
  const query = `
SELECT currency, sum(amount * rate) AS euros, count(*) AS orders
FROM orders JOIN rates USING (currency) WHERE id >= $least GROUP BY currency ORDER BY currency`;
  const made = await runQuery({
    folder,
    tables: { orders, rates },
    query,
    keys: 'params: {least: "{{ 1 + 1 }}"}',
  });
  t.equal(made.failure, null);
  t.strictSame(made.rows, [
    { currency: 'EUR', euros: '0.050', orders: 1 },
    { currency: 'USD', euros: '18.180', orders: 1 },
  ]);
  const step = made.steps.find(({ step_id }) => step_id === 'query');
  t.match(step, { kind: 'sql', status: 'success', rows_in: 5, rows_out: 2, rows_failed: 0 });
  t.match(made, { rows_in: 5, rows_out: 2 });
});

t.test('many tables are filled at once, and none ends what another does', async (t) => {
  const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
  const row = Object.fromEntries(columns.map((name) => [name, '1.5']));
  const types = Object.fromEntries(columns.map((name) => [name, 'decimal' as const]));
  const tables = Object.fromEntries(names.map((name) => [name, { columns: types, rows: [row, row] }]));
  const query = names.map((name) => `SELECT count(*) AS n FROM ${name}`).join(' UNION ALL ');
  for (let turn = 0; turn < fewOrAll(1, 5); turn++) {
    const made = await runQuery({ folder, tables, query });
    t.equal(made.failure, null);
    t.strictSame(
      made.rows,
      names.map(() => ({ n: 2 })),
    );
  }
});

t.test('a statement that is no query, or leaves its tables, is refused or finds nothing', async (t) => {
  const file = join(folder, 'secret.txt');
  const attempts = [
    `SELECT * FROM read_csv('${file}')`,
    `SELECT * FROM read_text('${file}')`,
    `SELECT * FROM '${file}'`,
    `SELECT * FROM glob('${folder}/*')`,
    `SELECT * FROM read_csv('/proc/self/environ')`,
    `SELECT * FROM read_json('https://example.com/x.json')`,
    `SELECT * FROM postgres_scan('', '', '')`,
    `WITH x AS (SELECT 1) INSERT INTO orders SELECT 1, 'x', 2`,
    `FROM orders; DROP TABLE orders`,
    `SELECT getenv('PATH')`,
    `FROM query('COPY orders TO ''${folder}/out.csv''')`,
    `SELECT * FROM sniff_csv('${file}')`,
    `SELECT * FROM parquet_metadata('${file}')`,
    `SELECT * FROM sqlite_scan('${file}', 't')`,
    `VALUES (1); ATTACH '${folder}/x.db'`,
    `ATTACH '${folder}/x.db'`,
    `COPY orders TO '${folder}/out.csv'`,
    `CREATE TABLE other AS FROM orders`,
    'INSTALL httpfs',
    'LOAD httpfs',
    'PRAGMA enable_object_cache',
    'SELECT * FROM duckdb_settings()',
    "SELECT current_setting('allowed_paths')",
    'SELECT * FROM pg_catalog.pg_views',
    'SET memory_limit = 0',
    `EXPORT DATABASE '${folder}/all'`,
    'CALL pragma_version()',
  ];
  const before = readdirSync(folder);
  for (const query of attempts) {
    const made = await runQuery({ folder, tables: { orders }, query });
    t.ok(
      ['SQL_ERROR', 'SQL_REFUSED', 'VALIDATION_ERROR'].includes(made.failure?.code ?? ''),
      `${query}: ${made.failure?.message}`,
    );
    t.notMatch(made.failure?.message, /PATH=/);
  }
  t.strictSame(readdirSync(folder), before);
});

t.test('a join that explodes ends at the disk that it may use, and leaves nothing there', async (t) => {
  const many = Array.from({ length: 2_000 }, (_, id) => ({ id }));
  const spillFolder = join(folder, 'exploded');
  const made = await runQuery({
    folder,
    tables: { orders: { columns: { id: 'integer' }, rows: many } },
    query:
      'SELECT a.id AS a, b.id AS b, c.id AS c FROM orders a, orders b, orders c ORDER BY a.id + b.id + c.id',
    context: { sqlLimits: { memoryMb: 64, diskMb: 50, threads: 1, joinRows: 1_000 }, spillFolder },
  });
  t.match(made.failure, { code: 'SQL_LIMIT', message: /memory|disk/i });
  t.strictSame(made.rows, []);
  t.strictSame(readdirSync(spillFolder), []);
});

t.test('an error names the line of the query', async (t) => {
  const query = 'SELECT id,\n  nothing\nFROM orders';
  const made = await runQuery({ folder, tables: { orders }, query });
  t.match(made.failure, {
    code: 'SQL_ERROR',
    step_id: 'query',
    message: /^Line 2 of the query: Binder Error.*"nothing"/,
  });
});

t.test('a query without rows is no failure, and gives its columns to the next one', async (t) => {
  const made = await runQuery({
    folder,
    tables: { orders: { ...orders, rows: [] } },
    query: 'SELECT sum(amount) AS s FROM orders',
  });
  t.equal(made.failure, null);
  t.strictSame(made.rows, [{ s: null }]);
});

t.test('a source that tells no columns needs them from the document', async (t) => {
  const query = 'SELECT count(*) AS n FROM orders WHERE amount > 1';
  const bare = await runQuery({ folder, tables: { orders: [] }, query });
  t.match(bare.failure, {
    code: 'SQL_ERROR',
    message: /"orders" has no rows.*orders: \{step, columns\}/,
  });
});

t.test(
  'beyond its memory a query uses its folder, which is empty again, and without disk it says so',
  async (t) => {
    const sqlLimits = { memoryMb: 64, diskMb: 1_000, threads: 1, joinRows: 1_000 };
    const query = `SELECT count(*) AS n, min(h) > '' AS some FROM (
  SELECT h, row_number() OVER (ORDER BY h) AS n FROM
  (SELECT repeat(md5(i::VARCHAR), 4) AS h FROM range(400000) r(i), orders WHERE id = 1)) WHERE n % 2 = 0`;
    const spillFolder = join(folder, 'spill');
    const made = await runQuery({ folder, tables: { orders }, query, context: { sqlLimits, spillFolder } });
    t.equal(made.failure, null);
    t.strictSame(made.rows, [{ n: 200_000, some: true }]);
    t.strictSame(readdirSync(spillFolder), []);
    const given = await runQuery({
      folder,
      tables: { orders },
      query,
      context: {
        spillFolder,
        connectContext: {
          fileRoots: [folder],
          forbiddenFiles: [],
          connectTimeoutMs: 5_000,
          sql: { memoryMb: 64, diskMb: 1 },
        },
      },
    });
    t.match(given.failure, { code: 'SQL_LIMIT' }, 'the settings of the server hold');
    const without = await runQuery({ folder, tables: { orders }, query, context: { sqlLimits } });
    t.match(without.failure, { code: 'SQL_LIMIT', message: /exceeds its memory or disk limit/ });
    const little = await runQuery({
      folder,
      tables: { orders },
      query,
      context: { sqlLimits: { ...sqlLimits, diskMb: 1 }, spillFolder },
    });
    t.match(little.failure, { code: 'SQL_LIMIT', message: /exceeds its memory or disk limit/ });
  },
);

t.test('a cancel ends a query that would never end', async (t) => {
  const control = new AbortController();
  const keeper = createKeeper();
  const started = setInterval(() => {
    if (keeper.logs.some(({ message }) => message === 'sql started')) control.abort();
  }, 20);
  const query =
    'SELECT count(*) AS n FROM range(100000000000) a(i), range(1000) b(j), orders WHERE (i * j) % 7 = id';
  const made = await runQuery({
    folder,
    tables: { orders },
    query,
    keeper,
    context: { signal: control.signal },
  });
  clearInterval(started);
  t.match(made, { status: 'cancelled', rows: [] });
});
