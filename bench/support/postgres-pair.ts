import pg from 'pg';
import { createDatabase } from '../../test/support/postgres.ts';
import { runPipeline } from './run-pipeline.ts';

/** Columns of a table of ten that `fillPeople` fills. */
export const PEOPLE_COLUMNS =
  'id bigint, name text, email text, amount double precision, quantity integer, active boolean, created_at timestamptz, day date, price numeric(10,2), note text';

/** A table `people` of so many rows, analysed. */
export async function fillPeople(client: pg.Client, rows: number): Promise<void> {
  await client.query(`CREATE TABLE people (${PEOPLE_COLUMNS})`);
  await client.query(
    `INSERT INTO people SELECT n, 'Person ' || n, 'person' || n || '@example.com', n * 1.25, n % 100, n % 2 = 0,
     timestamptz '2026-01-01' + n * interval '1 second', date '2026-01-01' + n % 365, n % 10000 / 100.0, 'note ' || n % 1000
     FROM generate_series(1, ${rows}) n`,
  );
  await client.query('VACUUM ANALYZE people');
}

/** A database with a client of its own; `t` takes both down. */
export async function connectedDatabase(t: {
  teardown(fn: () => unknown): unknown;
}): Promise<{ readonly url: string; readonly client: pg.Client }> {
  const { url } = await createDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  return { url, client };
}

/** Two databases, and a way to run pipelines between connectors named `source` and `target`. */
export async function postgresPair() {
  const cleanUp: (() => unknown)[] = [];
  const t = { teardown: (fn: () => unknown) => cleanUp.unshift(fn) };
  const from = await connectedDatabase(t);
  const to = await connectedDatabase(t);
  let runs = 0;
  return {
    from: from.url,
    to: to.url,
    source: from.client,
    target: to.client,
    run: (yaml: string, rows: number) =>
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
    close: async () => {
      for (const clean of cleanUp) await clean();
    },
  };
}
