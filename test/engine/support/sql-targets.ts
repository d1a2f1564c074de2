import type { Test } from 'tap';
import type { Connection, Driver } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { contextOf } from '../../drivers/sql/engines.ts';
import { createMariadbDatabase, withoutMariadb } from '../../support/mariadb.ts';
import { createDatabase } from '../../support/postgres.ts';

/** A database that tasks load into, and the test looks into. */
export interface SqlTarget {
  /** As a task's connector. */
  readonly connector: { readonly type: string; readonly config: unknown };
  readonly connection: Connection;
}

interface TargetKind {
  readonly driver: Driver;
  /** Why it cannot run here; false where it can. */
  readonly skip?: false | string;
  readonly config: (t: Test) => Promise<unknown>;
}

const KINDS: readonly TargetKind[] = [
  { driver: sqliteDriver, config: async () => ({ path: 't.db' }) },
  { driver: postgresDriver, config: async (t) => ({ url: (await createDatabase(t)).url }) },
  {
    driver: mysqlDriver,
    skip: withoutMariadb(),
    config: async (t) => ({ url: (await createMariadbDatabase(t)).url }),
  },
];

/** By type: why a test does not run on an engine, besides what the machine lacks. */
export type SkippedEngines = Readonly<Record<string, boolean | string>>;

/** A test of its own on every SQL engine; `folder` holds `files`, and the file of an embedded database. */
export function onEachDatabase(
  t: Pick<Test, 'test'>,
  files: Record<string, string>,
  body: (t: Test, target: SqlTarget, folder: string) => Promise<void>,
  skipped: SkippedEngines = {},
): void {
  for (const { driver, skip = false, config } of KINDS) {
    t.test(driver.type, { skip: skip || (skipped[driver.type] ?? false) }, async (t) => {
      const folder = t.testdir(files);
      const connector = { type: driver.type, config: await config(t) };
      const connection = await driver.connect(connector.config, contextOf(folder));
      t.teardown(() => connection.close());
      await body(t, { connector, connection }, folder);
    });
  }
}
