import type { Column } from '../../driver.ts';
import { escapeText, NULL_TEXT } from '../../sql/load/line-bytes.ts';
import type { LineCell } from '../../sql/load/row-lines.ts';
import { jsonText } from '../../types/json-text.ts';

/** How a field of a line becomes the value of its column: as it is, from hexadecimal digits, or as a number of bits. */
export type CellWrap = 'plain' | 'hex' | 'bits';

export interface Cell extends LineCell {
  readonly wrap: CellWrap;
}

/** A moment as RFC 3339, or without its zone. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:[Zz]|([+-])(\d\d):?(\d\d))?$/;

/** The text of a moment as MySQL reads it in a session in UTC; what is none stays as it is. */
function momentText(text: string): string {
  const match = MOMENT.exec(text);
  if (match === null) return text;
  const [, day, time = '', sign, hours, minutes] = match;
  if (sign === undefined) return `${day} ${time}`;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const [whole = '', fraction] = time.split('.');
  const at = new Date(Date.parse(`${day}T${whole.length === 5 ? `${whole}:00` : whole}Z`) - offsetMs);
  if (Number.isNaN(at.getTime())) return text;
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}${fraction === undefined ? '' : `.${fraction}`}`;
}

function anyText(value: unknown): string {
  if (value === null || value === undefined) return NULL_TEXT;
  switch (typeof value) {
    case 'string':
      return escapeText(value);
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? '1' : '0';
    default:
      if (value instanceof Date) return momentText(value.toISOString());
      if (value instanceof Uint8Array) return escapeText(Buffer.from(value).toString('base64'));
      return escapeText(jsonText(value) ?? 'null');
  }
}

const moment: LineCell['text'] = (value) =>
  typeof value === 'string' ? escapeText(momentText(value)) : anyText(value);

const json: LineCell['text'] = (value) => {
  if (value === null || value === undefined) return NULL_TEXT;
  const text = jsonText(value);
  return text === undefined ? NULL_TEXT : escapeText(text);
};

/** Bytes travel as base64. */
const hex: LineCell['text'] = (value) => {
  if (value === null || value === undefined) return NULL_TEXT;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return Buffer.from(String(value), 'base64').toString('hex');
};

/** The writer for a column of the rows that goes into a column with this declared type. */
export function cellFor(column: Column, declared: string, isJson: boolean): Cell {
  if (isJson)
    return { text: column.type === 'json' ? json : anyText, wrap: 'plain', isPlain: column.type !== 'json' };
  if (/^(?:var)?binary|blob/.test(declared)) return { text: hex, wrap: 'hex', isPlain: false };
  if (/^(?:date|timestamp)/.test(declared)) return { text: moment, wrap: 'plain', isPlain: false };
  return { text: anyText, wrap: declared.startsWith('bit') ? 'bits' : 'plain', isPlain: true };
}
