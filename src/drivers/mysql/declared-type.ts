import type { ColumnType } from '../driver.ts';

/** Of the tables that a load makes: a decimal there has as many digits after its point as it needs. */
export const ownDecimalScale = 30;

/** The common type of a column as `information_schema` declares it; `isJson` for MariaDB, where JSON is a checked text. */
export function declaredTypeOf(columnType: string, isJson: boolean): ColumnType {
  const text = columnType.toLowerCase();
  const name = /^[a-z]+/.exec(text)?.[0] ?? '';
  if (isJson || name === 'json') return 'json';
  if (text === 'tinyint(1)' || text === 'bit(1)') return 'boolean';
  if (['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'year', 'bit'].includes(name)) return 'integer';
  if (name === 'decimal') return 'decimal';
  if (name === 'float' || name === 'double') return 'number';
  if (name === 'date' || name === 'time') return name;
  if (name === 'datetime' || name === 'timestamp') return 'timestamp';
  if (name.endsWith('binary') || name.endsWith('blob')) return 'binary';
  return /^(geometry|point|linestring|polygon|multi|geom)/.test(name) ? 'json' : 'string';
}

/** A whole table's texts compare exactly, as those of other engines do. */
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
/** Types of tables that a load makes. */
const DECLARED: Readonly<Record<ColumnType, string>> = {
  string: `longtext ${TEXT}`,
  integer: 'bigint',
  number: 'double',
  decimal: `decimal(65,${ownDecimalScale})`,
  boolean: 'tinyint(1)',
  date: 'date',
  time: 'time(6)',
  timestamp: 'datetime(6)',
  json: 'json',
  binary: 'longblob',
  unknown: `longtext ${TEXT}`,
};

/** A key column has a length, since an index needs one. */
const KEY_CHARS = 255;

export function declaredType(type: ColumnType, isKey = false): string {
  const declared = DECLARED[type];
  if (!isKey) return declared;
  return declared
    .replace('longtext', `varchar(${KEY_CHARS})`)
    .replace('json', `varchar(${KEY_CHARS}) ${TEXT}`)
    .replace('longblob', `varbinary(${KEY_CHARS})`);
}
