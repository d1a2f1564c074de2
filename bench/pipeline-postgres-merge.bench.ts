/**
 * 300,000 rows of eight columns from one PostgreSQL database into another, merged by their key into 150,000 that are there; limit: the rows
 * by COPY out of the one and into a temporary table of the other, then one INSERT … ON CONFLICT.
 */
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { measure, secondsOf } from './support/figure.ts';
import { postgresPair } from './support/postgres-pair.ts';

const rows = 300_000;
const columns =
  'id bigint PRIMARY KEY, name text, email text, amount double precision, quantity bigint, active boolean, created_at timestamptz, note text';
const made = (count: number, note: string) =>
  `INSERT INTO people SELECT n, 'Person ' || n, 'person' || n || '@example.com', n * 1.25, n % 100, n % 2 = 0,
   timestamptz '2026-01-01' + n * interval '1 second', '${note}' FROM generate_series(1, ${count}) n`;
const yaml = `
version: 1
name: people
connectors: { source: {type: postgres}, target: {type: postgres} }
steps:
  - { id: read, kind: extract, connector: source, method: list, args: { table: people } }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: merge, key: [id] }
`;

const { source, target, run, close } = await postgresPair();
await source.query(`CREATE TABLE people (${columns})`);
await source.query(made(rows, 'new'));

/** Rows a second into a table that has the first half of them, as they were. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  await target.query('DROP TABLE IF EXISTS people');
  await target.query(`CREATE TABLE people (${columns})`);
  await target.query(made(rows / 2, 'old'));
  await target.query('VACUUM ANALYZE people');
  const seconds = await secondsOf(work);
  const { rows: found } = await target.query(`SELECT count(*) AS n FROM people WHERE note = 'new'`);
  if (Number(found[0]?.n) !== rows) throw new Error(`${found[0]?.n} rows are merged`);
  return rows / seconds;
}

const product = () => timed(() => run(yaml, rows));

const names = ['name', 'email', 'amount', 'quantity', 'active', 'created_at', 'note'];
const limit = () =>
  timed(async () => {
    await target.query('BEGIN');
    await target.query('CREATE TEMP TABLE stage (LIKE people) ON COMMIT DROP');
    await pipeline(
      source.query(copyTo('COPY people TO STDOUT')),
      target.query(copyFrom('COPY stage FROM STDIN')),
    );
    const sets = names.map((name) => `${name} = excluded.${name}`).join(', ');
    await target.query(`INSERT INTO people SELECT * FROM stage ON CONFLICT (id) DO UPDATE SET ${sets}`);
    await target.query('COMMIT');
  });

try {
  await measure({ name: 'pipeline-postgres-merge(copy-upsert)', unit: 'rows/s', product, limit, rounds: 3 });
} finally {
  await close();
}
