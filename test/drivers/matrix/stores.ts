import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Batch, Connection, Driver } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { connectTo } from '../mongodb/mongo-database.ts';
import { startWireServer } from '../mongodb/wire-server.ts';
import { contextOf, type Engine, engines, load, never } from '../sql/engines.ts';

/** A store that rows go into and come out of. */
export interface MatrixStore {
  readonly name: string;
  /** Why it cannot run here; false where it can. */
  readonly skip: false | string;
  /** Gives what opens an empty one, closed with its test. */
  prepare(t: Test): Promise<(t: Test) => Promise<Connection>>;
  /** The name of an object of rows. */
  object(name: string): string;
  /** What reads all rows of an object. */
  reading(object: string): { readonly method: string; readonly args: unknown };
}

function database(engine: Engine): MatrixStore {
  return {
    name: engine.name,
    skip: engine.skip ?? false,
    prepare: (t) => engine.prepare(t),
    object: (name) => name,
    reading: (table) => ({ method: 'list', args: { table } }),
  };
}

function files(driver: Driver, suffix: string): MatrixStore {
  return {
    name: suffix.slice(1),
    skip: false,
    prepare: async () => async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'headgate-matrix-'));
      t.teardown(() => rmSync(folder, { recursive: true }));
      return driver.connect({ path: folder }, contextOf(folder));
    },
    object: (name) => name + suffix,
    reading: (file) => ({ method: 'read', args: { file } }),
  };
}

/** FerretDB has no decimals: documents are kept by the small server of the protocol. */
const documents: MatrixStore = {
  name: 'mongodb',
  skip: false,
  prepare: async () => async (t) => {
    const server = await startWireServer();
    t.teardown(() => server.close());
    return connectTo(t, { host: '127.0.0.1', port: server.port, database: 'matrix' });
  },
  object: (name) => name,
  reading: (collection) => ({ method: 'find', args: { collection } }),
};

export const stores: readonly MatrixStore[] = [
  ...engines.map(database),
  documents,
  files(jsonDriver, '.ndjson'),
  files(csvDriver, '.csv'),
  files(parquetDriver, '.parquet'),
];

export async function readAll(store: MatrixStore, connection: Connection, name: string): Promise<Batch[]> {
  const batches: Batch[] = [];
  const reading = store.reading(store.object(name));
  for await (const batch of connection.read({ ...reading, signal: never })) batches.push(batch);
  return batches;
}

/** One load into an object that is not there yet, as a task would make it. */
export async function loadAll(
  store: MatrixStore,
  connection: Connection,
  name: string,
  batches: readonly Batch[],
): Promise<void> {
  const object = store.object(name);
  // Dates of BSON count milliseconds: more digits are lost where the load lets them be.
  const lossy = new Map(store.name === 'mongodb' ? ([['at', 'truncate']] as const) : []);
  const writer = await connection.openWriter(load({ mode: 'replace', object, loadId: name, lossy }));
  try {
    for (const batch of batches) await writer.write(batch);
    await writer.commit();
  } finally {
    await writer.abort();
  }
}
