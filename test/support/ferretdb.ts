import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { findProgram } from './find-program.ts';
import { sharedServerUrl } from './shared-server.ts';

interface Teardown {
  teardown(fn: () => unknown): void;
}

/** The program of `test/peers/ferretdb`: `FERRETDB_PATH`, else on the PATH; null for none. */
export function findFerretdb(): string | null {
  return findProgram(process.env['FERRETDB_PATH'], ['headgate-ferretdb']);
}

/** Why tests of MongoDB are skipped, or false where they run. */
export function withoutMongodb(): false | string {
  if (process.env['MONGODB_URL'] || findFerretdb() !== null) return false;
  return 'there is no MongoDB: set MONGODB_URL, or FERRETDB_PATH to what "go build" makes of test/peers/ferretdb';
}

/** URL of a server: `MONGODB_URL` where it is set, else the checkout's FerretDB. */
export async function mongodbUrl(): Promise<string> {
  const given = process.env['MONGODB_URL'];
  if (given !== undefined && given !== '') return given;
  const program = join(import.meta.dirname, 'ferretdb-server.ts');
  return sharedServerUrl({ engine: 'ferretdb', program, answers });
}

/** A new database, dropped when the test ends; `db` is the driver's own view of it. */
export async function createMongoDatabase(
  t: Teardown,
): Promise<{ readonly url: string; readonly name: string; readonly db: Db }> {
  const server = await mongodbUrl();
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const client = await MongoClient.connect(server);
  const db = client.db(name);
  t.teardown(async () => {
    await db.dropDatabase();
    await client.close();
  });
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, name, db };
}

async function answers(url: string): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
