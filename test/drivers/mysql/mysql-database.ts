import type { Test } from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { createMariadbDatabase } from '../../support/mariadb.ts';
import { contextOf } from '../sql/engines.ts';

/** A connector of a new database, closed with its test. */
export async function connectDatabase(
  t: Test,
  config: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly connection: Connection; readonly url: string; readonly name: string }> {
  const { url, name } = await createMariadbDatabase(t);
  const connection = await mysqlDriver.connect({ url, ...config }, contextOf('/'));
  t.teardown(() => connection.close());
  return { connection, url, name };
}
