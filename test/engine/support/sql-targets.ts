import type { Test } from 'tap';
import type { Connection, Driver } from '../../../src/drivers/driver.ts';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { contextOf } from '../../drivers/sql/engines.ts';
import { createDatabase } from '../../support/postgres.ts';

/** A database that tasks load into, and the test looks into. */
export interface SqlTarget {
  /** As a task's connector. */
  readonly connector: { readonly type: string; readonly config: unknown };
  readonly connection: Connection;
}

const CONFIGS: readonly { readonly driver: Driver; readonly config: (t: Test) => Promise<unknown> }[] = [
  { driver: sqliteDriver, config: async () => ({ path: 't.db' }) },
  { driver: postgresDriver, config: async (t) => ({ url: (await createDatabase(t)).url }) },
];

/** A test of its own on every SQL engine; `folder` holds `files`, and the file of an embedded database. */
export function onEachDatabase(
  t: Pick<Test, 'test'>,
  files: Record<string, string>,
  body: (t: Test, target: SqlTarget, folder: string) => Promise<void>,
): void {
  for (const { driver, config } of CONFIGS) {
    t.test(driver.type, async (t) => {
      const folder = t.testdir(files);
      const connector = { type: driver.type, config: await config(t) };
      const connection = await driver.connect(connector.config, contextOf(folder));
      t.teardown(() => connection.close());
      await body(t, { connector, connection }, folder);
    });
  }
}
