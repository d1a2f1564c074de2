import { DatabaseSync } from 'node:sqlite';
import type { Batch, Connection } from '../../../src/drivers/driver.ts';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { contextOf, never } from '../sql/engines.ts';

/** A connector of an empty folder, and its file past it. */
export interface Place {
  readonly connection: Connection;
  readonly path: string;
}

export async function placeOf(t: { testdir(): string; teardown(fn: () => unknown): void }): Promise<Place> {
  const folder = t.testdir();
  const connection = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => connection.close());
  return { connection, path: `${folder}/t.db` };
}

/** Runs statements past the connector; gives the rows of the last. */
export function sql(path: string, ...statements: readonly string[]): Record<string, unknown>[] {
  const db = new DatabaseSync(path);
  try {
    const found = statements.map((text) => db.prepare(text).all() as Record<string, unknown>[]);
    return (found.at(-1) ?? []).map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}

export async function listed(connection: Connection, table: string): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of connection.read({ method: 'list', args: { table }, signal: never }))
    batches.push(batch);
  return batches;
}
