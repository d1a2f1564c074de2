import type { Column } from '../../driver.ts';
import { declaredType } from '../column-type.ts';
import type { SqliteTable } from '../introspect.ts';
import { CONSTRAINTS } from './declared-column.ts';

/** Words and at most two numbers, as a type is declared without quotes: https://sqlite.org/lang_createtable.html#datatype */
const TYPE = /^[A-Za-z_]\w*(?: [A-Za-z_]\w*)*(?: ?\( ?[+-]?\d+(?: ?, ?[+-]?\d+)? ?\))?$/;

/** The declared type of a column that a load makes: that of the source where this is SQLite as well, else that of its values. */
export function typeFor({ type, declared }: Column, strict = false): string {
  if (strict || declared?.engine !== 'sqlite') return declaredType(type, strict);
  if (declared.sql === '') return '';
  const words = declared.sql.split(/[ (]/);
  const isPlain = TYPE.test(declared.sql) && !words.some((word) => CONSTRAINTS.has(word.toUpperCase()));
  return isPlain ? declared.sql : declaredType(type);
}

/** What ends the declaration of a stage whose values fit where those of the table do. */
export function strictly(table: SqliteTable | null): string {
  return table?.strict === true ? ' STRICT' : '';
}
