import type { DigestColumn } from '../../digest/digest.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import type { MysqlColumn } from '../introspect.ts';
import { commonTypeOf } from '../types/declared-type.ts';
import type { ReadOptions } from '../value-type.ts';

/** Doubles in this range are exact as `decimal(65,30)`. */
const SMALLEST = '1e-13';
const LARGEST = '1e34';

/** The normal form of a column as SQL, in a session in UTC; null where there is none. `isKey`: rows are found by it. */
export function columnText(
  column: MysqlColumn,
  { name, form }: DigestColumn,
  { zeroDates }: ReadOptions,
  isKey: boolean,
): string | null {
  const sql = quoteIdentifier(name);
  const { declared } = column;
  const type = commonTypeOf(column);
  switch (form) {
    case 'number':
      if (type === 'integer' || type === 'boolean') return `CAST(${sql} + 0 AS CHAR)`;
      if (type === 'decimal') return decimalText(sql, declared);
      return declared.startsWith('double') && !isKey ? doubleText(sql) : null;
    case 'text':
      return type === 'string' ? `CONVERT(${sql} USING utf8mb4)` : null;
    case 'padded':
      return type === 'string' ? `TRIM(TRAILING ' ' FROM CONVERT(${sql} USING utf8mb4))` : null;
    case 'date':
      return type === 'date' ? knownDate(`CAST(${sql} AS CHAR)`, zeroDates) : null;
    case 'timestamp':
      if (type === 'date') return knownDate(`CONCAT(${sql}, 'T00:00:00')`, zeroDates);
      return type === 'timestamp' ? knownDate(timestampText(sql, declared), zeroDates) : null;
    case 'time':
      return type === 'time' ? withoutZeros(`CAST(${sql} AS CHAR)`, declared) : null;
    case 'bytes':
      return type === 'binary' ? `LOWER(HEX(${sql}))` : null;
    case 'engine':
    case 'json':
      return null;
    default:
      return form satisfies never;
  }
}

function decimalText(sql: string, declared: string): string {
  const text = `CAST(${sql} AS CHAR)`;
  // A `zerofill` writes zeros before the digits.
  if (declared.includes('zerofill')) return trimmed(`CAST(${sql} + 0 AS CHAR)`);
  return /^decimal\(\d+,0\)/.test(declared) ? text : trimmed(text);
}

/** The engine's own digits are the shortest, with an exponent where they are many. */
function doubleText(sql: string): string {
  const text = `CAST(${sql} AS CHAR)`;
  const usual = `${sql} = 0 OR ABS(${sql}) BETWEEN ${SMALLEST} AND ${LARGEST}`;
  return `CASE WHEN ${usual} THEN ${trimmed(`CAST(CAST(${text} AS DECIMAL(65,30)) AS CHAR)`)} ELSE ${text} END`;
}

function trimmed(text: string): string {
  return `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${text}))`;
}

function timestampText(sql: string, declared: string): string {
  return withoutZeros(`REPLACE(CAST(${sql} AS CHAR), ' ', 'T')`, declared);
}

/** Digits of a second. */
function withoutZeros(text: string, declared: string): string {
  return /\([1-6]\)/.test(declared) ? trimmed(text) : text;
}

/** What the connector reads as null. */
function knownDate(text: string, zeroDates: ReadOptions['zeroDates']): string {
  if (zeroDates === 'text') return text;
  return `CASE WHEN ${text} LIKE '0000%' OR ${text} LIKE '____-00%' OR ${text} LIKE '____-__-00%' THEN NULL ELSE ${text} END`;
}
