import type { Column, ColumnType } from '../../driver.ts';
import type { DeclaredType } from '../../types/declared-type.ts';
import type { Server } from '../session-pool.ts';
import { nativeType } from './native-type.ts';

/** Of the tables that a load makes: a decimal there has as many digits after its point as it needs. */
export const ownDecimalScale = 30;

/** Types of the tables that a load makes. */
const OWN: Readonly<Record<ColumnType, string>> = {
  string: 'longtext',
  integer: 'bigint',
  number: 'double',
  decimal: `decimal(65,${ownDecimalScale})`,
  boolean: 'tinyint(1)',
  date: 'date',
  time: 'time(6)',
  timestamp: 'datetime(6)',
  json: 'json',
  binary: 'longblob',
  unknown: 'longtext',
};

const DECIMAL_DIGITS_MAX = 65;
const DECIMAL_SCALE_MAX = 30;
/** A key column has a length, since an index needs one. */
const KEY_CHARS = 255;
/** An index holds 3,072 bytes of a row, of which a character takes up to 4. */
export const KEY_CHARS_MAX = 768;
/** A row has at most 65,535 bytes without its long texts; many columns share them. */
const CHARS_MAX = 1_000;
/** The longest text of a time of day with its zone. */
const ZONED_TIME_CHARS = 32;
const INTEGERS = { 8: 'tinyint', 16: 'smallint', 24: 'mediumint', 32: 'int', 64: 'bigint' } as const;
/** Types that MariaDB alone has, and since when; 1011 is 10.11. */
const MARIADB_SINCE: Readonly<Record<string, number>> = { uuid: 1_007, inet6: 1_005, inet4: 1_010 };

/** The type of a column that a load makes: that of its source where the engine has it, else the nearest. Without a key's length. */
export function ownType(column: Column, isKey: boolean, server: Server): string {
  const { declared, type } = column;
  const sql = declared === undefined ? null : (sameType(declared, server) ?? nearest(declared, type, server));
  const wanted = sql ?? withCollation(OWN[type], server);
  return isKey ? keyType(wanted, collated(server)) : wanted;
}

/** The type of a column without a source that declares one, and without its collation. */
export function plainType(type: ColumnType, isKey: boolean): string {
  return isKey ? keyType(OWN[type], '') : OWN[type];
}

/** How texts compare in a table of ours: exactly, blanks at the end included, as those of other engines do. */
export function ownCollation({ isMariaDb }: Server): string {
  return isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
}

function withCollation(sql: string, server: Server): string {
  return /^(?:varchar|longtext)/.test(sql) ? sql + collated(server) : sql;
}

function collated(server: Server): string {
  return ` CHARACTER SET utf8mb4 COLLATE ${ownCollation(server)}`;
}

/** null where this server lacks the type or its collation. */
function sameType({ engine, sql }: DeclaredType, { isMariaDb, version }: Server): string | null {
  if (engine !== 'mysql') return null;
  const since = MARIADB_SINCE[nativeType(sql).name];
  if (since !== undefined && !(isMariaDb && version >= since)) return null;
  const collation = / COLLATE (\w+)$/.exec(sql)?.[1] ?? '';
  const isForeign = isMariaDb
    ? collation.includes('0900') || (collation.includes('uca1400') && version < 1_010)
    : /uca1400|nopad/.test(collation);
  return isForeign ? null : sql;
}

function nearest(declared: DeclaredType, type: ColumnType, server: Server): string | null {
  const { bits, unsigned = false, precision, scale, chars, zone, uuid, single } = declared;
  switch (type) {
    case 'integer':
      return bits === undefined ? null : `${INTEGERS[bits]}${unsigned ? ' unsigned' : ''}`;
    case 'decimal':
      return precision === undefined ? null : decimalType(precision, scale ?? 0);
    case 'number':
      return single === true ? 'float' : null;
    case 'time':
      return zone === true ? withCollation(`varchar(${ZONED_TIME_CHARS})`, server) : null;
    case 'string': {
      if (uuid === true && server.isMariaDb && server.version >= (MARIADB_SINCE['uuid'] ?? 0)) return 'uuid';
      const most = uuid === true ? 36 : chars;
      return most === undefined || most > CHARS_MAX ? null : withCollation(`varchar(${most})`, server);
    }
    default:
      return null;
  }
}

/** Digits may end before the point, or all of them begin behind it. */
function decimalType(precision: number, scale: number): string | null {
  const after = Math.max(scale, 0);
  const digits = Math.max(precision + Math.max(-scale, 0), after);
  return digits > DECIMAL_DIGITS_MAX || after > DECIMAL_SCALE_MAX ? null : `decimal(${digits},${after})`;
}

/** A type that an index can hold as a whole; `collation` is for what was no text. */
function keyType(sql: string, collation: string): string {
  const { name, first } = nativeType(sql);
  if (name === 'json') return `varchar(${KEY_CHARS})${collation}`;
  if (name.endsWith('blob')) return `varbinary(${KEY_CHARS})`;
  const isLong = name.endsWith('text') || (name === 'varchar' && Number(first) > KEY_CHARS_MAX);
  return isLong ? sql.replace(/^\w+(?:\(\d+\))?/, `varchar(${KEY_CHARS})`) : sql;
}
