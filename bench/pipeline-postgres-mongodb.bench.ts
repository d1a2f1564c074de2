/**
 * 100,000 rows of eight columns from PostgreSQL into MongoDB's protocol (FerretDB, or the server at MONGODB_URL), and 20,000 back. Limits, in
 * the same run: an `insertMany` loop over rows that are there, and a bare cursor of the client into COPY.
 */
import { pipeline } from 'node:stream/promises';
import type { Document } from 'mongodb';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createMongoDatabase } from '../test/support/ferretdb.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { measure, secondsOf } from './support/figure.ts';
import { runPipeline } from './support/run-pipeline.ts';

const rows = 100_000;
/** FerretDB reads slowly. */
const rowsBack = 20_000;
const table =
  'people (id bigint, name text, email text, amount double precision, quantity bigint, active boolean, created_at timestamptz, note text)';
const yamlOf = (source: string, read: string, target: string) => `
version: 1
name: people
connectors: { source: {type: ${source}}, target: {type: ${target}} }
steps:
  - { id: read, kind: extract, connector: source, ${read} }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: append }
`;

const cleanUp: (() => unknown)[] = [];
const t = { teardown: (fn: () => unknown) => cleanUp.unshift(fn) };
const postgres = await createDatabase(t);
const back = await createDatabase(t);
const mongo = await createMongoDatabase(t);
const [client, target] = [
  new pg.Client({ connectionString: postgres.url }),
  new pg.Client({ connectionString: back.url }),
];
await Promise.all([client.connect(), target.connect()]);
t.teardown(() => Promise.all([client.end(), target.end()]));
await client.query(`CREATE TABLE ${table}`);
await client.query(
  `INSERT INTO people SELECT n, 'Person ' || n, 'person' || n || '@example.com', n * 1.25, n % 100, n % 2 = 0,
   timestamptz '2026-01-01' + n * interval '1 second', repeat('note ', 8) FROM generate_series(1, $1::int) n`,
  [rows],
);

let runs = 0;
const connectors = {
  postgres: { name: 'postgres', type: 'postgres', config: { url: postgres.url } },
  back: { name: 'back', type: 'postgres', config: { url: back.url } },
  mongodb: { name: 'mongodb', type: 'mongodb', config: { url: mongo.url } },
};

async function timedInto(name: string, count: number, work: () => Promise<unknown>): Promise<number> {
  await mongo.db.collection(name).drop();
  await mongo.db.createCollection(name);
  const seconds = await secondsOf(work);
  const found = await mongo.db.collection(name).countDocuments();
  if (found !== count) throw new Error(`${found} documents arrived`);
  return count / seconds;
}

const { rows: found } = await client.query<Document>('SELECT * FROM people');
const documents = found.map((row) => ({ ...row, id: Number(row['id']), quantity: Number(row['quantity']) }));

const insertMany = (count: number) =>
  timedInto('people', count, async () => {
    const collection = mongo.db.collection('people');
    for (let from = 0; from < count; from += 1_000)
      await collection.insertMany(
        documents.slice(from, from + 1_000).map((one) => ({ ...one })),
        { ordered: false },
      );
  });

const intoMongo = () =>
  timedInto('people', rows, () =>
    runPipeline({
      yaml: yamlOf('postgres', 'method: list, args: {table: people}', 'mongodb'),
      rows,
      runId: ++runs,
      fileRoots: [],
      connectors: { source: connectors.postgres, target: connectors.mongodb },
    }),
  );

async function timedBack(work: () => Promise<unknown>): Promise<number> {
  await target.query('DROP TABLE IF EXISTS people');
  await target.query(`CREATE TABLE ${table}`);
  const seconds = await secondsOf(work);
  const { rows: counted } = await target.query('SELECT count(*) AS n FROM people');
  if (Number(counted[0]?.n) !== rowsBack) throw new Error(`${counted[0]?.n} rows arrived`);
  return rowsBack / seconds;
}

const columns = ['id', 'name', 'email', 'amount', 'quantity', 'active', 'created_at', 'note'];

const cursorIntoCopy = () =>
  timedBack(async () => {
    const cursor = mongo.db.collection('people').find({}, { batchSize: 1_000, projection: { _id: 0 } });
    const lines = async function* () {
      while (await cursor.hasNext()) {
        const batch: Document[] = cursor.readBufferedDocuments();
        yield batch
          .map(
            (one) =>
              `${columns.map((name) => (one[name] instanceof Date ? one[name].toISOString() : String(one[name]))).join('\t')}\n`,
          )
          .join('');
      }
    };
    await pipeline(lines, target.query(copyFrom('COPY people FROM STDIN')));
  });

const fromMongo = () =>
  timedBack(() =>
    runPipeline({
      yaml: yamlOf(
        'mongodb',
        `method: find, args: {collection: people, columns: [${columns.join(', ')}]}`,
        'postgres',
      ),
      rows: rowsBack,
      runId: ++runs,
      fileRoots: [],
      connectors: { source: connectors.mongodb, target: connectors.back },
    }),
  );

try {
  await measure({
    name: 'pipeline-postgres-mongodb(insert-many)',
    unit: 'rows/s',
    product: intoMongo,
    limit: () => insertMany(rows),
  });
  await insertMany(rowsBack);
  await measure({
    name: 'pipeline-mongodb-postgres(cursor-copy)',
    unit: 'rows/s',
    product: fromMongo,
    limit: cursorIntoCopy,
  });
} finally {
  for (const clean of cleanUp) await clean();
}
