/**
 * A million rows of ten columns in two PostgreSQL databases, compared by a `verify` step, all equal; limit: the load that brought them
 * there, so that the ratio says how many times faster the proof is than the load.
 */
import { measure, secondsOf } from './support/figure.ts';
import { postgresPair } from './support/postgres-pair.ts';

const rows = 1_000_000;
const connectorsOf = 'connectors: { source: {type: postgres}, target: {type: postgres} }';
const load = `
version: 1
name: people
${connectorsOf}
steps:
  - { id: read, kind: extract, connector: source, method: list, args: { table: people } }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: replace }
`;
const verify = `
version: 1
name: check
${connectorsOf}
steps:
  - { id: check, kind: verify, source: { connector: source, object: people }, target: { connector: target, object: people }, key: [id] }
`;

const { source, run, close } = await postgresPair();
await source.query(`
  CREATE TABLE people (id bigint PRIMARY KEY, name text, email text, amount numeric(12,2), ratio double precision, quantity integer,
    active boolean, born date, created_at timestamptz, note text)`);
await source.query(
  `INSERT INTO people SELECT n, 'Person ' || n, 'person' || n || '@example.com', n * 1.25, n / 7.0, n % 100, n % 2 = 0,
   date '1950-01-01' + n % 20000, timestamptz '2026-01-01' + n * interval '1 second', repeat('note ', 8)
   FROM generate_series(1, $1::int) n`,
  [rows],
);
await source.query('VACUUM ANALYZE people');

const timed = async (yaml: string) => rows / (await secondsOf(() => run(yaml, yaml === load ? rows : 0)));

try {
  await timed(load);
  await measure({
    name: 'verify-postgres(load)',
    unit: 'rows/s',
    product: () => timed(verify),
    limit: () => timed(load),
    rounds: 3,
  });
} finally {
  await close();
}
