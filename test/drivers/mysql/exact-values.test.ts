import t, { type Test } from 'tap';
import type { Column, Connection, ConnectorError, Row } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { startMariadb } from '../../support/own-mariadb.ts';
import { column, contextOf, execute, load, rowsOf } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();

/** Rows of a batch that goes by LOAD DATA; the value is in the last one. */
const ROWS = 120;
const REFUSED = Symbol('refused');
const MANY = 'x'.repeat(255);

/** A column, the type and the value of the rows, and what the server then says that it has. */
type Case = readonly [
  declared: string,
  type: Column['type'],
  value: unknown,
  rendered: string | typeof REFUSED,
];

const CASES: readonly Case[] = [
  ['int', 'number', 1.5, REFUSED],
  ['int', 'string', '1.4999', REFUSED],
  ['int', 'string', ' 5 ', '5'],
  ['int', 'string', '5x', REFUSED],
  ['int', 'number', 1e3, '1000'],
  ['int', 'boolean', true, '1'],
  ['int unsigned', 'integer', -1, REFUSED],
  ['int unsigned', 'integer', 4_294_967_295, '4294967295'],
  ['bigint unsigned', 'integer', '18446744073709551615', '18446744073709551615'],
  ['bigint unsigned', 'integer', '18446744073709551616', REFUSED],
  ['bigint', 'number', 1e19, REFUSED],
  ['tinyint(1)', 'boolean', true, '1'],
  ['tinyint(1)', 'number', 0.5, REFUSED],
  ['tinyint(1)', 'integer', 128, REFUSED],
  ['decimal(10,2)', 'number', 1.555, REFUSED],
  ['decimal(10,2)', 'decimal', '1.550', '1.55'],
  ['decimal(10,2)', 'decimal', '100000000', REFUSED],
  ['decimal(5,2) unsigned', 'decimal', '-0.001', REFUSED],
  ['decimal(5,2)', 'number', 1e1, '10.00'],
  ['float', 'integer', 16_777_217, REFUSED],
  ['float', 'number', 0.1, '0.1'],
  ['float(7,2)', 'number', 1.555, REFUSED],
  ['float(7,2)', 'number', 1.25, '1.25'],
  ['double(8,3)', 'number', 1.0005, REFUSED],
  ['double', 'number', Number.NaN, REFUSED],
  ['double', 'number', Number.NEGATIVE_INFINITY, REFUSED],
  ['double', 'integer', '9007199254740993', REFUSED],
  ['bit(4)', 'integer', 5, '5'],
  ['bit(4)', 'string', '0101', '5'],
  ['bit(4)', 'integer', 16, REFUSED],
  ['bit(4)', 'number', 7.9, REFUSED],
  ['bit(1)', 'boolean', true, '1'],
  ['year', 'integer', 2024, '2024'],
  ['year', 'integer', 0, '0'],
  ['year', 'integer', 70, REFUSED],
  ['year', 'string', '5', REFUSED],
  ['date', 'date', '2024-02-29', '2024-02-29'],
  ['date', 'timestamp', '2024-02-29T10:00:00Z', REFUSED],
  ['date', 'string', '20240229', REFUSED],
  ['date', 'date', '0000-01-01', REFUSED],
  ['time', 'time', '10:00:00.5', REFUSED],
  ['time(3)', 'time', '10:00:00.125', '10:00:00.125'],
  ['time(3)', 'time', '10:00:00.1255', REFUSED],
  ['time(3)', 'time', '-838:59:59', '-838:59:59.000'],
  ['time', 'timestamp', '2024-01-01T10:00:00Z', REFUSED],
  ['time', 'string', '10:00:00+02:00', REFUSED],
  ['datetime', 'timestamp', '2024-01-01T10:00:00.5Z', REFUSED],
  ['datetime(3)', 'timestamp', '2024-01-01T10:00:00.12345Z', REFUSED],
  ['datetime(3)', 'timestamp', '2024-01-01T10:00:00.125+02:00', '2024-01-01 08:00:00.125'],
  ['datetime', 'date', '2024-01-01', '2024-01-01 00:00:00'],
  ['datetime', 'string', '20240101', REFUSED],
  ['datetime', 'timestamp', '0000-01-01T00:00:00Z', REFUSED],
  ['timestamp NULL', 'timestamp', '1970-01-01T00:00:00Z', REFUSED],
  ['timestamp NULL', 'timestamp', '2106-02-07T06:28:16Z', REFUSED],
  // A moment that no clock of Berlin shows.
  ['timestamp NULL', 'timestamp', '2024-03-31T02:30:00Z', '2024-03-31 02:30:00'],
  [`enum('a','b')`, 'integer', 1, REFUSED],
  [`enum('a','b')`, 'string', 'A', REFUSED],
  [`enum('a','b')`, 'string', '', REFUSED],
  [`enum('a','b')`, 'string', 'b', 'b'],
  [`enum('10','2')`, 'integer', 2, '2'],
  [`enum('it''s','back\\\\\\\\slash')`, 'string', `it's`, `it's`],
  [`enum('it''s','back\\\\slash')`, 'string', 'back\\slash', 'back\\slash'],
  [`set('x','y')`, 'integer', 3, REFUSED],
  [`set('x','y')`, 'string', 'y,x', 'x,y'],
  [`set('x','y')`, 'string', 'x,x', REFUSED],
  ['char(3)', 'string', 'a ', REFUSED],
  ['varchar(3)', 'string', 'abc ', REFUSED],
  ['varchar(3)', 'string', 'a  ', 'a  '],
  ['varchar(3)', 'string', '漢😀é', '漢😀é'],
  ['varchar(9) CHARACTER SET utf8mb3', 'string', '😀', REFUSED],
  ['varchar(9) CHARACTER SET latin1', 'string', '漢', REFUSED],
  ['varchar(9) CHARACTER SET latin1', 'string', 'Grüße €', 'Grüße €'],
  ['tinytext', 'string', `${MANY} `, REFUSED],
  ['tinytext', 'string', 'é'.repeat(128), REFUSED],
  ['tinytext CHARACTER SET latin1', 'string', 'é'.repeat(255), 'é'.repeat(255)],
  ['text', 'binary', 'aGVsbG8=', REFUSED],
  ['varchar(9)', 'integer', '9007199254740993', REFUSED],
  ['varbinary(9)', 'string', 'hello world', REFUSED],
  ['varbinary(9)', 'string', 'aGVsbG8=', REFUSED],
  ['blob', 'integer', 5, REFUSED],
  ['blob', 'binary', 'é', REFUSED],
  ['blob', 'binary', 'aGVsbG8=', 'hello'],
  ['varbinary(4)', 'binary', 'aGVsbG8=', REFUSED],
  ['binary(6)', 'binary', 'aGVsbG8=', REFUSED],
  ['json', 'json', { a: '\\ "é"', b: [1.5, null] }, '{"a":"\\\\ \\"é\\"","b":[1.5,null]}'],
  ['json', 'string', 'not json', REFUSED],
  ['uuid', 'string', '6CCD780C-BABA-1026-9564-5B8C656024DB', '6ccd780c-baba-1026-9564-5b8c656024db'],
  ['uuid', 'string', '6ccd780c', REFUSED],
  ['inet4', 'string', '1.2.3', REFUSED],
  ['inet6', 'string', '::1', '::1'],
];

/** Settings with which a server's sessions begin; those of a load are its own. */
const ODD_SERVER = {
  'sql-mode': 'ANSI,PAD_CHAR_TO_FULL_LENGTH,NO_BACKSLASH_ESCAPES,ALLOW_INVALID_DATES',
  'default-time-zone': '-09:30',
  'character-set-server': 'latin1',
};

async function outcome(
  c: Connection,
  [declared, type, value]: Case,
  { rows, mode = 'append' }: { readonly rows: number; readonly mode?: 'append' | 'merge' | 'replace' },
): Promise<string | typeof REFUSED | null> {
  const columns = [column('id', 'integer'), column('v', type)];
  const writer = await c.openWriter(load({ mode, object: 'one', loadId: String(Math.random()) }));
  try {
    const batch: Row[] = Array.from({ length: rows }, (_, id) => ({ id, v: id === rows - 1 ? value : null }));
    await writer.write({ columns, rows: batch });
    await writer.commit();
  } catch (error) {
    const { fault, column: named, message } = error as ConnectorError;
    if (fault !== 'DATA' || named !== 'v')
      throw new Error(`refused in another way: ${message}`, { cause: error });
    return REFUSED;
  } finally {
    await writer.abort();
  }
  const [row] = await rowsOf(
    c,
    `SELECT CONVERT(${/^(?:bit|year)/.test(declared) ? 'v + 0' : 'v'} USING utf8mb4) AS text FROM one WHERE id = ?`,
    [rows - 1],
  );
  return (row?.['text'] ?? null) as string | null;
}

for (const isOdd of [false, true])
  t.test(
    `an existing column holds what came, or the row is refused by name${isOdd ? ', on a server with odd settings' : ''}`,
    { skip },
    async (t) => {
      const c = isOdd ? await oddConnection(t) : (await connectDatabase(t)).connection;
      for (const [place, one] of CASES.entries()) {
        // By INSERT and by LOAD DATA, and by the modes in turn.
        const mode = (['append', 'merge', 'replace'] as const)[(place + Number(isOdd)) % 3] ?? 'append';
        const rows = (place + Number(isOdd)) % 2 === 0 ? 1 : ROWS;
        const [declared, type, value, wanted] = one;
        const text = declared.replace(
          /^(?:varchar|char|tinytext|text|enum|set)[^ ]*$/,
          '$& CHARACTER SET utf8mb4',
        );
        await execute(c, 'DROP TABLE IF EXISTS one', `CREATE TABLE one (id int PRIMARY KEY, v ${text})`);
        const what = `${declared} <- ${type} ${String(JSON.stringify(value))}, ${mode} of ${rows}`;
        t.equal(await outcome(c, one, { rows, mode }), wanted, what);
      }
    },
  );

async function oddConnection(t: Test): Promise<Connection> {
  const connection = await mysqlDriver.connect({ url: await startMariadb(t, ODD_SERVER) }, contextOf('/'));
  t.teardown(() => connection.close());
  return connection;
}
