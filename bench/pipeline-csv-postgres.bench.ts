/** A CSV file of 1 M typed rows of ten columns into PostgreSQL; limit: `psql \copy`, else the file through COPY as it is. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createDatabase } from '../test/support/postgres.ts';
import { measure, secondsOf } from './support/figure.ts';
import { writePeopleCsv } from './support/people-csv.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { hasTool, runTool } from './support/run-tool.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const table = `people (id bigint, name text, email text, company text, amount double precision, quantity bigint,
  active boolean, created_at timestamptz, country text, note text)`;
const yaml = `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: postgres} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: append }
`;

let runs = 0;
const folder = workFolder();
const source = join(folder, 'people.csv');
writePeopleCsv(source, rows);
const cleanUp: (() => unknown)[] = [];
const { url } = await createDatabase({ teardown: (fn) => cleanUp.push(fn) });
const client = new pg.Client({ connectionString: url });
await client.connect();

/** Both begin with the same empty table and are counted after. */
async function timed(work: () => Promise<void>): Promise<number> {
  await client.query(`DROP TABLE IF EXISTS people; CREATE TABLE ${table}`);
  const seconds = await secondsOf(work);
  const { rows: found } = await client.query('SELECT count(*)::int AS n FROM people');
  if (found[0].n !== rows) throw new Error(`${found[0].n} rows arrived`);
  return rows / seconds;
}

const product = () =>
  timed(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [folder],
      connectors: {
        source: { name: 'source', type: 'csv', config: { path: source } },
        target: { name: 'target', type: 'postgres', config: { url } },
      },
    }),
  );

const byPsql = () =>
  timed(() => runTool('psql', [url, '-q', '-c', `\\copy people FROM '${source}' WITH (FORMAT csv, HEADER)`]));

const byCopy = () =>
  timed(() =>
    pipeline(
      createReadStream(source),
      client.query(copyFrom('COPY people FROM STDIN WITH (FORMAT csv, HEADER)')),
    ),
  );

const tool = hasTool('psql');
try {
  await measure({
    name: `pipeline-csv-postgres(${tool ? 'psql-copy' : 'copy-stream'})`,
    unit: 'rows/s',
    product,
    limit: tool ? byPsql : byCopy,
  });
} finally {
  await client.end();
  for (const clean of cleanUp) await clean();
}
