import mysql from 'mysql2/promise';
import type { Test } from 'tap';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { createMariadbDatabase, findMariadb, withoutMariadb } from '../../support/mariadb.ts';
import { startMariadb } from '../../support/own-mariadb.ts';
import type { Reads } from '../meaning.ts';
import { TYPED_READS } from '../new-tables.ts';
import type { OpenTarget, TargetColumn, TypedTarget } from '../target.ts';

const TYPES: readonly (readonly [declared: string, reads: Reads])[] = [
  ['tinyint', 'number'],
  ['tinyint(1)', 'number'],
  ['smallint unsigned', 'number'],
  ['mediumint', 'number'],
  ['int', 'number'],
  ['bigint', 'number'],
  ['bigint unsigned', 'number'],
  ['decimal(10,2)', 'number'],
  ['decimal(65,30)', 'number'],
  ['float', 'single'],
  ['double', 'double'],
  ['bit(4)', 'bits'],
  ["enum('sad','ok','2')", 'text'],
  ["set('a','b','c')", 'text'],
  ['year', 'number'],
  ['date', 'day'],
  ['time', 'time'],
  ['time(3)', 'time'],
  ['datetime', 'moment'],
  ['datetime(6)', 'moment'],
  ['timestamp(3) null', 'moment'],
  ['varchar(5)', 'text'],
  ['char(5)', 'padded'],
  ['text', 'text'],
  ['varchar(20) character set utf8mb3', 'text'],
  ['varchar(20) character set latin1', 'text'],
  ['binary(4)', 'bytes'],
  ['varbinary(5)', 'bytes'],
  ['blob', 'bytes'],
  ['json', 'json'],
  ['uuid', 'uuid'],
];

function shownBy({ reads, declared }: TargetColumn): string {
  if (reads === 'bytes') return 'hex(v)';
  if (reads === 'bits') return `lpad(bin(v), ${/\d+/.exec(declared)?.[0]}, '0')`;
  return reads === 'single' ? 'cast(cast(v as double) as char)' : 'cast(v as char character set utf8mb4)';
}

async function openDatabase(t: Test, url: string): Promise<OpenTarget> {
  const client = await mysql.createConnection({ uri: url, multipleStatements: true, dateStrings: true });
  t.teardown(() => client.end());
  const connection = await mysqlDriver.connect(
    { url },
    { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 5_000 },
  );
  t.teardown(() => connection.close());
  return {
    connection,
    create: async (table, { declared }) => {
      await client.query(
        `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id bigint PRIMARY KEY, v ${declared})`,
      );
    },
    drop: async (table) => {
      await client.query(`DROP TABLE IF EXISTS ${table}`);
    },
    shown: async (table, column) => {
      const [rows] = await client.query({
        sql: `SET time_zone = '+00:00'; SELECT id, ${shownBy(column)} AS shown FROM ${table}`,
      });
      const [, found] = rows as unknown as [unknown, readonly { id: number; shown: string | null }[]];
      return new Map(found.map(({ id, shown }) => [Number(id), shown === null ? null : String(shown)]));
    },
  };
}

export const mariadbTarget: TypedTarget = {
  name: 'MariaDB',
  skip: withoutMariadb(),
  columns: TYPES.map(([declared, reads]) => ({ name: declared, declared, reads })),
  newReads: TYPED_READS,
  open: async (t) => openDatabase(t, (await createMariadbDatabase(t)).url),
};

/** A server that cuts and rounds silently, and whose clocks are not those of UTC, unless a session says otherwise. */
export const laxMariadbTarget: TypedTarget = {
  ...mariadbTarget,
  skip: findMariadb() === null ? 'there is no mariadbd on the PATH' : false,
  open: async (t) =>
    openDatabase(t, await startMariadb(t, { 'sql-mode': '', 'default-time-zone': '+05:30' })),
};
