/** A CSV file of 1 M typed rows of ten columns into MariaDB; limit: the file through LOAD DATA LOCAL as it is, by `mysql2`. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { createMariadbDatabase } from '../test/support/mariadb.ts';
import { measure, secondsOf } from './support/figure.ts';
import { PEOPLE_COLUMNS, writePeopleCsv } from './support/people-csv.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const table = `people (id bigint, name text, email text, company text, amount double, quantity bigint,
  active boolean, created_at datetime(3), country text, note text)`;
const yaml = `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: mysql} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: append }
`;

let runs = 0;
const folder = workFolder();
const source = join(folder, 'people.csv');
writePeopleCsv(source, rows);
const cleanUp: (() => unknown)[] = [];
const { url } = await createMariadbDatabase({ teardown: (fn) => cleanUp.push(fn) });
const client = await mysql.createConnection(url);

/** Both begin with the same empty table and are counted after. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  await client.query('DROP TABLE IF EXISTS people');
  await client.query(`CREATE TABLE ${table}`);
  const seconds = await secondsOf(work);
  const [found] = await client.query<RowDataPacket[]>('SELECT count(*) AS n FROM people');
  if (found[0]?.['n'] !== rows) throw new Error(`${found[0]?.['n']} rows arrived`);
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
        target: { name: 'target', type: 'mysql', config: { url } },
      },
    }),
  );

// Two columns are not in the file as the server reads them.
const fields = PEOPLE_COLUMNS.map((name) => (name === 'active' || name === 'created_at' ? `@${name}` : name));
const byLoadData = () =>
  timed(() =>
    client.query({
      sql: `LOAD DATA LOCAL INFILE 'people' INTO TABLE people CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','
        OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' IGNORE 1 LINES (${fields.join(', ')})
        SET active = @active = 'true', created_at = LEFT(@created_at, 23)`,
      infileStreamFactory: () => createReadStream(source),
    }),
  );

try {
  await measure({ name: 'pipeline-csv-mysql(load-data)', unit: 'rows/s', product, limit: byLoadData });
} finally {
  await client.end();
  for (const clean of cleanUp) await clean();
}
