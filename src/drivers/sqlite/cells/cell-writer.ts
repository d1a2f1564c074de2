import type { SQLInputValue } from 'node:sqlite';
import { shownValue } from '../../../base/text/shown-value.ts';
import { type Column, ConnectorError, type WriteRequest } from '../../driver.ts';
import { exactCell } from '../../values/exact-cell.ts';
import type { Holding } from '../../values/holding.ts';
import type { Losses } from '../../values/losses.ts';
import { INT64 } from '../cell.ts';
import { affinityOf, typeOfDeclared } from '../column-type.ts';
import type { CellPlace, CellWriter } from './cell-place.ts';
import { numberWriter } from './number-writer.ts';
import { ownWriter } from './own-writer.ts';

/** Of all rows of a load. */
export interface CellRules {
  /** The table, as the user wrote it. */
  readonly object: string;
  /** By these rows are found, so that no two values of them may become one. */
  readonly key: readonly string[];
  readonly lossy: WriteRequest['lossy'] | undefined;
  readonly losses: Losses;
}

const NUMBER: Holding = { kind: 'number', bits: 53, specials: true };
const BYTES: Holding = { kind: 'bytes', max: Number.POSITIVE_INFINITY, fixed: false };
const INTEGER: Holding = { kind: 'integer', ...INT64 };
const TEXT: Holding = {
  kind: 'text',
  chars: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  padded: false,
  nul: true,
  planes: true,
};

/** What a STRICT table has besides ANY, which takes everything as it is: https://sqlite.org/stricttables.html */
const STRICT: Readonly<Record<string, Holding>> = {
  INT: INTEGER,
  INTEGER,
  REAL: NUMBER,
  TEXT,
  BLOB: BYTES,
};

/**
 * How values of a column of the rows go into a column of a table, by what that declares. Outside STRICT tables any value may be in any
 * column, so that it is kept as it is; but in a column of text SQLite makes text of numbers, and in one of numbers it makes numbers of text
 * that reads as one: here both happen by the rules of `cast`, or the value is refused.
 */
export function cellWriter(
  column: Column,
  { declared, strict }: { readonly declared: string; readonly strict: boolean },
  { object, key, lossy, losses }: CellRules,
): CellWriter {
  const type = declared === '' ? 'no type' : declared;
  const place: CellPlace = {
    column,
    declared,
    isKey: key.includes(column.name),
    isLossy: lossy?.has(column.name) === true,
    exact: (holding) =>
      exactCell(column, holding, {
        object,
        type,
        lossy: lossy?.get(column.name),
        onLossy: () => losses.add(column.name),
      }),
    refuse: (value, why) => {
      const message = `${shownValue(value)} does not fit the column "${column.name}" (${type}) of "${object}": ${why}`;
      throw new ConnectorError('DATA', message, { column: column.name });
    },
  };
  const ofStrict = strict ? STRICT[declared.toUpperCase()] : undefined;
  const holding = ofStrict ?? (column.type === 'binary' ? BYTES : undefined);
  if (holding !== undefined) return heldWriter(place, holding);
  const affinity = strict ? 'blob' : affinityOf(declared);
  if (typeOfDeclared(declared) === 'json') return jsonWriter(place, affinity);
  if (affinity === 'text') return textWriter(place);
  return affinity === 'blob' ? ownWriter(place) : numberWriter(place, affinity);
}

function heldWriter(place: CellPlace, holding: Holding): CellWriter {
  const exact = place.exact(holding) ?? ((value: unknown) => value);
  const bind = BINDERS[holding.kind];
  return (value) => {
    if (value === null || value === undefined) return null;
    const held = bind?.(exact(value)) ?? null;
    return Number.isNaN(held) ? place.refuse(value, 'SQLite has no NaN') : held;
  };
}

/** Exact values as the engine takes them. */
const BINDERS: Readonly<Partial<Record<Holding['kind'], (held: unknown) => SQLInputValue>>> = {
  integer: (held) => BigInt(held as number | string),
  number: Number,
  text: String,
  bytes: (held) => (held instanceof Uint8Array ? held : Buffer.from(String(held), 'base64')),
};

/** Outside of text a JSON number is a number for SQLite, too. */
function jsonWriter(place: CellPlace, affinity: ReturnType<typeof affinityOf>): CellWriter {
  const exact = place.exact({ kind: 'json' });
  const text: CellWriter = (value) => {
    if (value === null || value === undefined) return null;
    return String(exact === null ? value : exact(value));
  };
  if (affinity === 'text' || affinity === 'blob') return text;
  const write = numberWriter(place, affinity);
  return (value) => write(text(value));
}

function textWriter(place: CellPlace): CellWriter {
  const exact = place.exact(TEXT);
  const isMixedKey = place.isKey && place.column.type === 'json';
  return (value) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'string') return String(exact === null ? value : exact(value));
    if (isMixedKey) place.refuse(value, 'other keys are texts, and it would become one');
    return String(exact === null ? value : exact(value));
  };
}
