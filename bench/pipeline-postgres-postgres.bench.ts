/**
 * 1 M rows of ten columns from one PostgreSQL database into an empty table of another that has the same columns; limit: `psql` with COPY TO
 * STDOUT (FORMAT binary), piped into COPY FROM STDIN.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { createDatabase } from '../test/support/postgres.ts';
import { measure, secondsOf } from './support/figure.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { hasTool } from './support/run-tool.ts';

const rows = 1_000_000;
const tool = 'psql';
const columns =
  'id bigint, name text, email text, amount double precision, quantity integer, active boolean, created_at timestamptz, day date, price numeric(10,2), note text';
const yaml = `
version: 1
name: people
connectors: { source: {type: postgres}, target: {type: postgres} }
steps:
  - { id: read, kind: extract, connector: source, method: list, args: { table: people } }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: append }
`;

const cleanUp: (() => unknown)[] = [];
const t = { teardown: (fn: () => unknown) => cleanUp.unshift(fn) };
const [from, to] = [await createDatabase(t), await createDatabase(t)];
const [source, target] = [from, to].map(({ url }) => new pg.Client({ connectionString: url })) as [
  pg.Client,
  pg.Client,
];
await Promise.all([source.connect(), target.connect()]);
t.teardown(() => Promise.all([source.end(), target.end()]));
await source.query(`CREATE TABLE people (${columns})`);
await source.query(
  `INSERT INTO people SELECT n, 'Person ' || n, 'person' || n || '@example.com', n * 1.25, n % 100, n % 2 = 0,
   timestamptz '2026-01-01' + n * interval '1 second', date '2026-01-01' + n % 365, n % 10000 / 100.0, 'note ' || n % 1000
   FROM generate_series(1, ${rows}) n`,
);
await source.query('VACUUM ANALYZE people');

async function timed(work: () => Promise<unknown>): Promise<number> {
  await target.query('DROP TABLE IF EXISTS people');
  await target.query(`CREATE TABLE people (${columns})`);
  const seconds = await secondsOf(work);
  const { rows: found } = await target.query('SELECT count(*) AS n FROM people');
  if (Number(found[0]?.n) !== rows) throw new Error(`${found[0]?.n} rows have arrived`);
  return rows / seconds;
}

let runs = 0;
const product = () =>
  timed(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [],
      connectors: {
        source: { name: 'source', type: 'postgres', config: { url: from.url } },
        target: { name: 'target', type: 'postgres', config: { url: to.url } },
      },
    }),
  );

const limit = () =>
  timed(async () => {
    const reading = spawn(tool, [from.url, '-qc', 'COPY people TO STDOUT (FORMAT binary)']);
    const writing = spawn(tool, [to.url, '-qc', 'COPY people FROM STDIN (FORMAT binary)'], {
      stdio: [reading.stdout, 'ignore', 'inherit'],
    });
    const [code] = await once(writing, 'close');
    if (code !== 0) throw new Error(`psql ended with ${code}`);
  });

try {
  await measure({
    name: 'pipeline-postgres-postgres(binary-pipe)',
    unit: 'rows/s',
    product,
    limit: hasTool(tool) ? limit : null,
  });
} finally {
  for (const clean of cleanUp) await clean();
}
