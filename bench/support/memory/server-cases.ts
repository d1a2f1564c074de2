import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startWireServer } from '../../../test/drivers/mongodb/wire-server.ts';
import { createMariadbDatabase } from '../../../test/support/mariadb.ts';
import { createDatabase } from '../../../test/support/postgres.ts';
import { writePeopleCsv } from '../people-csv.ts';
import { connectorsOf, type MemoryCase, taskOf } from './memory-case.ts';
import { answerAsMongo } from './mongo-answers.ts';

const PAGE_ROWS = 100;
const program = join(import.meta.dirname, '../page-server.ts');
const source = join(import.meta.dirname, '../record-source.ts');

/** What a case has made, taken away in the opposite order. */
class Made {
  readonly #undo: (() => unknown)[] = [];
  readonly teardown = (undo: () => unknown) => this.#undo.push(undo);

  async cleanUp(): Promise<void> {
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) await undo();
  }
}

function caseOf(
  name: string,
  prepare: (rows: number, made: Made) => ReturnType<MemoryCase['prepare']>,
): MemoryCase {
  const made = new Made();
  return { name, prepare: (rows) => prepare(rows, made), cleanUp: () => made.cleanUp() };
}

/** From a CSV file into a server, between servers, and from an API and an Airbyte source into a file. */
export function serverCases(folder: string): MemoryCase[] {
  const csv = join(folder, 'people.csv');
  const intoPeople = 'object: people, mode: append';
  const withCsv = (rows: number, made: Made) => {
    writePeopleCsv(csv, rows);
    made.teardown(() => rmSync(csv, { force: true }));
    return { type: 'csv', config: { path: csv } };
  };
  const mongo = async (rows: number, made: Made) => {
    const server = await startWireServer({ answer: answerAsMongo(rows, () => server.commands) });
    made.teardown(() => server.close());
    return { type: 'mongodb', config: { url: `mongodb://127.0.0.1:${server.port}/bench` } };
  };
  return [
    caseOf('csv-postgres', async (rows, made) => {
      const source = withCsv(rows, made);
      const { url } = await createDatabase(made);
      const connectors = connectorsOf(source, { type: 'postgres', config: { url } });
      return { yaml: taskOf('csv', 'method: read', 'postgres', intoPeople), fileRoots: [folder], connectors };
    }),
    caseOf('csv-mysql', async (rows, made) => {
      const source = withCsv(rows, made);
      const { url } = await createMariadbDatabase(made);
      const connectors = connectorsOf(source, { type: 'mysql', config: { url } });
      return { yaml: taskOf('csv', 'method: read', 'mysql', intoPeople), fileRoots: [folder], connectors };
    }),
    caseOf('postgres-postgres-merge', async (rows, made) => {
      const [source, target] = [await peopleIn(rows, made), await createDatabase(made)];
      const read = 'method: list, args: {table: people}';
      return {
        yaml: taskOf('postgres', read, 'postgres', 'object: people, mode: merge, key: [id]'),
        fileRoots: [],
        connectors: connectorsOf(source, { type: 'postgres', config: { url: target.url } }),
      };
    }),
    caseOf('postgres-mongodb', async (rows, made) => ({
      yaml: taskOf('postgres', 'method: list, args: {table: people}', 'mongodb', intoPeople),
      fileRoots: [],
      connectors: connectorsOf(await peopleIn(rows, made), await mongo(rows, made)),
    })),
    caseOf('mongodb-postgres', async (rows, made) => {
      const { url } = await createDatabase(made);
      return {
        yaml: taskOf('mongodb', 'method: find, args: {collection: people}', 'postgres', intoPeople),
        fileRoots: [],
        connectors: connectorsOf(await mongo(rows, made), { type: 'postgres', config: { url } }),
      };
    }),
    caseOf('http-sqlite', async (rows, made) => {
      const pages = String(rows / PAGE_ROWS);
      const server = fork(program, [pages, String(PAGE_ROWS)]);
      made.teardown(() => server.kill());
      const [port] = (await once(server, 'message')) as [number];
      const target = join(folder, 'pages.db');
      made.teardown(() => rmSync(target, { force: true }));
      const read =
        'method: list, args: {path: /list, records: data, paginate: {type: cursor, cursor_path: next}}';
      return {
        yaml: taskOf('http', read, 'sqlite', intoPeople),
        fileRoots: [folder],
        connectors: connectorsOf(
          { type: 'http', config: { base_url: `http://127.0.0.1:${port}` } },
          { type: 'sqlite', config: { path: target } },
        ),
      };
    }),
    caseOf('airbyte-sqlite', async (rows, made) => {
      const target = join(folder, 'records.db');
      made.teardown(() => rmSync(target, { force: true }));
      const command = [process.execPath, '--no-warnings', source, String(rows)];
      return {
        yaml: taskOf('airbyte', 'method: read, args: {stream: people}', 'sqlite', intoPeople),
        fileRoots: [folder],
        plugins: [{ name: 'printing', command, folder: null, memoryMb: 2_048 }],
        connectors: connectorsOf(
          { type: 'airbyte', config: { plugin: 'printing', config: {} } },
          { type: 'sqlite', config: { path: target } },
        ),
      };
    }),
  ];
}

async function peopleIn(rows: number, made: Made) {
  const { url } = await createDatabase(made);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `CREATE TABLE people AS SELECT n AS id, 'Person ' || n AS name, 'person' || n || '@example.com' AS email, n * 1.25::float8 AS amount,
     n % 100 AS quantity, n % 2 = 0 AS active, timestamptz '2026-01-01' + n * interval '1 second' AS created_at, repeat('note ', 8) AS note
     FROM generate_series(1, ${rows}) n`,
  );
  await client.end();
  return { type: 'postgres', config: { url } };
}
