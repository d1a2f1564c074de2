import { type Column, ConnectorError, type Row } from '../driver.ts';
import { jsonText } from '../types/json-text.ts';
import { SPECIAL_NUMBERS } from '../values/plain-digits.ts';
import type { JsonConfig } from './config.ts';

export interface RecordRules {
  /** The file, as the user wrote it. */
  readonly object: string;
  readonly nonFinite: JsonConfig['non_finite'];
}

/** As text of JSON; the library of types does not know it yet (ECMAScript proposal "JSON.parse source text access"). */
const NEGATIVE_ZERO = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('-0');

/** NaN or an infinity, somewhere in a row. */
class NonFinite extends Error {}

/** What JSON has no word for, on its way into a text. */
function replacerOf(nonFinite: RecordRules['nonFinite']): (key: string, value: unknown) => unknown {
  return (_key, value) => {
    switch (typeof value) {
      case 'number':
        if (Number.isFinite(value)) return Object.is(value, -0) ? NEGATIVE_ZERO : value;
        if (nonFinite === 'refuse') throw new NonFinite(String(value));
        return nonFinite === 'as_text' ? String(value) : null;
      case 'bigint': {
        const number = Number(value);
        return Number.isSafeInteger(number) ? number : String(value);
      }
      default:
        return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
    }
  };
}

/**
 * Writes rows as JSON objects: what a row lacks has no key, and null is null. Throws `DATA` with the column for NaN and the infinities,
 * unless the connector says what becomes of them.
 */
export function recordWriter(columns: readonly Column[], rules: RecordRules): (row: Row) => string {
  const replacer = replacerOf(rules.nonFinite);
  const fields = columns.map(({ name, type }) => ({
    name,
    isNumber: type === 'number',
    // Every object inherits a value under some names, such as "constructor".
    isInherited: name in Object.prototype,
  }));
  const put = (record: Row, row: Row, { name, isNumber, isInherited }: (typeof fields)[number]) => {
    if (isInherited && !Object.hasOwn(row, name)) return;
    const value = row[name];
    if (value === undefined) return;
    // Connectors that read NaN as text mean the number.
    const given = isNumber && typeof value === 'string' ? (SPECIAL_NUMBERS.get(value) ?? value) : value;
    if (name !== '__proto__') record[name] = given;
    else Object.defineProperty(record, name, { value: given, enumerable: true });
  };
  return (row) => {
    const record: Row = {};
    for (const field of fields) put(record, row, field);
    try {
      return jsonText(record, replacer) ?? '{}';
    } catch (error) {
      throw error instanceof NonFinite ? refused(error.message, record, rules.object) : error;
    }
  };
}

function refused(shown: string, record: Row, object: string): ConnectorError {
  const column = Object.keys(record).find((name) => holds(record[name], shown));
  const message = `${shown} does not fit the column "${column}" of "${object}": JSON has no such number. Give the connector "non_finite", or change the value before`;
  return new ConnectorError('DATA', message, { column });
}

function holds(value: unknown, shown: string): boolean {
  if (typeof value === 'number') return String(value) === shown;
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => holds(one, shown));
}
