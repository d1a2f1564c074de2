import type { ColumnType } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import { parseArrayLiteral } from './types/array-literal.ts';

/** How values of a type come and go; everything travels as text in the session's ISO settings. */
export interface ValueType {
  readonly type: ColumnType;
  readonly parse: (text: string) => unknown;
}

const asText = (text: string): unknown => text;

function integer(text: string): unknown {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

/** `2024-01-31 12:00:00.5+00` as RFC 3339; years beyond four digits, BC and infinity stay as they are. */
function timestamp(text: string): unknown {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/.exec(text);
  return match === null ? text : `${match[1]}T${match[2]}Z`;
}

function json(text: string): unknown {
  return parseJson(text);
}

const bytes = (text: string): unknown => Buffer.from(text.slice(2), 'hex').toString('base64');

const SCALARS: readonly (readonly [
  oid: number,
  arrayOid: number,
  type: ColumnType,
  parse: (text: string) => unknown,
])[] = [
  [16, 1000, 'boolean', (text) => text === 't'],
  [17, 1001, 'binary', bytes],
  [18, 1002, 'string', asText],
  [19, 1003, 'string', asText],
  [20, 1016, 'integer', integer],
  [21, 1005, 'integer', Number],
  [23, 1007, 'integer', Number],
  [25, 1009, 'string', asText],
  [26, 1028, 'integer', Number],
  [114, 199, 'json', json],
  [700, 1021, 'number', Number],
  [701, 1022, 'number', Number],
  [1042, 1014, 'string', asText],
  [1043, 1015, 'string', asText],
  [1082, 1182, 'date', asText],
  [1083, 1183, 'time', asText],
  [1114, 1115, 'timestamp', timestamp],
  [1184, 1185, 'timestamp', timestamp],
  [1266, 1270, 'time', asText],
  [1700, 1231, 'decimal', asText],
  [2950, 2951, 'string', asText],
  [3802, 3807, 'json', json],
];

/** Types by their OID, which is the same on every server. Others (enums, ranges, addresses) are text. */
export const valueTypes: ReadonlyMap<number, ValueType> = new Map(
  SCALARS.flatMap(([oid, arrayOid, type, parse]): [number, ValueType][] => [
    [oid, { type, parse }],
    [arrayOid, { type: 'json', parse: (text) => parseArrayLiteral(text, parse) ?? text }],
  ]),
);

const otherType: ValueType = { type: 'string', parse: asText };

export function valueTypeOf(oid: number): ValueType {
  return valueTypes.get(oid) ?? otherType;
}

/** In the form that `pg` takes. */
export const typeParsers = {
  getTypeParser: (oid: number) => valueTypeOf(oid).parse,
};
