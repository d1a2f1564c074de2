import { DatabaseSync } from 'node:sqlite';
import type { CountCheck } from '../source-files.ts';
import type { FourStoresPlaces } from './install-four-stores.ts';

/** Asks each store itself, past the server, how many of the rows it has. */
export async function countStores(
  places: FourStoresPlaces,
  expected: number,
): Promise<readonly CountCheck[]> {
  const { postgresUrl, mongodbUrl, s3 } = places.stores;
  const found = {
    PostgreSQL: await inPostgres(postgresUrl),
    MongoDB: await inMongodb(mongodbUrl),
    'the Parquet file': await inParquet(s3),
    SQLite: inSqlite(places.warehousePath),
  };
  return Object.entries(found).map(([store, count]) => ({
    what: `flights in ${store}`,
    found: count,
    expected,
  }));
}

async function inPostgres(connectionString: string): Promise<number> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>('SELECT count(*) AS n FROM flights');
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}

async function inMongodb(url: string): Promise<number> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(url);
  try {
    return await client.db().collection('flights').countDocuments();
  } finally {
    await client.close();
  }
}

async function inParquet({ endpoint, key, secret, path }: FourStoresPlaces['stores']['s3']): Promise<number> {
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { parquetMetadata } = await import('hyparquet');
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: key, secretAccessKey: secret },
  });
  try {
    const Bucket = new URL(path).hostname;
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'flights.parquet' }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    return Number(parquetMetadata(new Uint8Array(bytes).buffer).num_rows);
  } finally {
    client.destroy();
  }
}

function inSqlite(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM flights').get()?.['n']);
  } finally {
    db.close();
  }
}
