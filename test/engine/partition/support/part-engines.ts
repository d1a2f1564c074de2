import type { Test } from 'tap';
import type { Driver } from '../../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../../src/drivers/mysql/driver.ts';
import { postgresDriver } from '../../../../src/drivers/postgres/driver.ts';
import { sqliteDriver } from '../../../../src/drivers/sqlite/driver.ts';
import { createMariadbDatabase, withoutMariadb } from '../../../support/mariadb.ts';
import { createDatabase } from '../../../support/postgres.ts';

/** An engine whose targets publish parts together. */
export interface PartEngine {
  readonly driver: Driver;
  readonly skip: false | string;
  /** The configuration of an empty database. */
  create(t: Test, folder: string): Promise<Readonly<Record<string, unknown>>>;
  /** Columns of the table `src`. */
  readonly columns: string;
  /** Rows of it from 1 to a number. */
  readonly rows: (count: number) => string;
  /** Names of the stages that are there. */
  readonly stages: string;
  /** How many other sessions have begun a transaction; null where none outlives its process. */
  readonly busy: string | null;
  /** Eight days ago. */
  readonly longAgo: string;
}

/** The i-th row: an id with gaps, a number, a time, a day, a kind with nulls, and a price. */
const KIND = "CASE i % 4 WHEN 0 THEN 'a' WHEN 1 THEN 'b' WHEN 2 THEN 'c' END";

export const partEngines: readonly PartEngine[] = [
  {
    driver: postgresDriver,
    skip: false,
    create: async (t) => ({ url: (await createDatabase(t)).url }),
    columns: 'id bigint, n integer, at timestamptz, day date, kind text, price numeric(10,2)',
    rows: (count) =>
      `SELECT i * i, i, timestamptz '2024-01-01' + i * interval '1 hour', date '2024-01-01' + i, ${KIND}, i / 100.0
       FROM generate_series(1, ${count}) AS i`,
    stages: `SELECT relname AS name FROM pg_class WHERE relname LIKE '\\_headgate\\_parts\\_%' AND relkind = 'r'`,
    busy: `SELECT count(*) AS n FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    longAgo: "now() - interval '8 days'",
  },
  {
    driver: mysqlDriver,
    skip: withoutMariadb(),
    create: async (t) => ({ url: (await createMariadbDatabase(t)).url }),
    columns: 'id bigint, n integer, at datetime, day date, kind varchar(20), price decimal(10,2)',
    rows: (count) =>
      `WITH digits AS (SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6
         UNION SELECT 7 UNION SELECT 8 UNION SELECT 9),
       numbers AS (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + 1 AS i
         FROM digits a, digits b, digits c, digits e, digits f)
       SELECT i * i, i, '2024-01-01' + INTERVAL i HOUR, DATE('2024-01-01' + INTERVAL i DAY), ${KIND}, i / 100.0 FROM numbers
       WHERE i <= ${count}`,
    stages: `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = DATABASE() AND table_name LIKE '\\_headgate\\_parts\\_%'`,
    busy: `SELECT count(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()`,
    longAgo: 'NOW() - INTERVAL 8 DAY',
  },
  {
    driver: sqliteDriver,
    skip: false,
    create: async (_, folder) => ({ path: `${folder}/parts.db` }),
    columns: 'id INTEGER, n INTEGER, at TIMESTAMP, day DATE, kind TEXT, price DECIMAL(10,2)',
    rows: (count) =>
      `WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})
       SELECT i * i, i, strftime('%Y-%m-%dT%H:%M:%SZ', '2024-01-01', i || ' hours'), date('2024-01-01', i || ' days'), ${KIND}, i / 100.0
       FROM numbers`,
    stages: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '\\_headgate\\_parts\\_%' ESCAPE '\\'`,
    busy: null,
    longAgo: "'2024-01-01T00:00:00.000Z'",
  },
];
