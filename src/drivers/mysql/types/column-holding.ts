import type { Holding } from '../../values/holding.ts';
import { type DeclaredColumn, INTEGER_BITS, isInteger } from './declared-type.ts';
import { type NativeType, nativeType } from './native-type.ts';

const NO_BOUND = Number.POSITIVE_INFINITY;
const TIME_MAX = '838:59:59';
/** Years before are zero to the engine, or read as none. */
const DAY_MIN = '0001-01-01';
const DAY_MAX = '9999-12-31';
/** The first moment of a `timestamp`; where it ends depends on the server, which refuses what is later. */
const STAMP_MIN = '1970-01-01T00:00:01Z';
export const TEXT_BYTES: Readonly<Record<string, number>> = {
  tinytext: 2 ** 8 - 1,
  text: 2 ** 16 - 1,
  mediumtext: 2 ** 24 - 1,
  longtext: 2 ** 32 - 1,
};
const BLOB_BYTES: Readonly<Record<string, number>> = {
  tinyblob: 2 ** 8 - 1,
  blob: 2 ** 16 - 1,
  mediumblob: 2 ** 24 - 1,
  longblob: 2 ** 32 - 1,
};
const UTF8 = /^(?:utf8|ascii)/;
const SHORT_PLANES = /^(?:utf8mb3|utf8_|ucs2)/;
const TWO_BYTES = /^(?:ucs2|utf16)/;

/**
 * What a column holds exactly, by its declaration; a value must pass each of them. A server in strict mode refuses what is out of range,
 * and rounds, clips and pads all the same.
 */
export function holdingsOf(column: DeclaredColumn): readonly Holding[] {
  const type = nativeType(column.declared);
  const { name, first, second, unsigned } = type;
  if (column.isJson || name === 'json') return [{ kind: 'json' }];
  if (isInteger(name)) return [integers(INTEGER_BITS[name], unsigned)];
  switch (name) {
    case 'year':
      return [{ kind: 'integer', min: 1901n, max: 2155n }];
    case 'bit':
      return [first === 1 ? { kind: 'boolean' } : { kind: 'bits', count: first ?? 1, fixed: true }];
    case 'decimal':
      return [decimals(first ?? 10, second ?? 0)];
    case 'float':
    case 'double': {
      const number: Holding = { kind: 'number', bits: name === 'float' ? 24 : 53, specials: false };
      // With digits of its own it rounds to them.
      return first === null || second === null ? [number] : [decimals(first, second), number];
    }
    case 'date':
      return [{ kind: 'date', min: DAY_MIN, max: DAY_MAX, specials: false }];
    case 'time':
      return [{ kind: 'time', digits: first ?? 0, max: TIME_MAX, signed: true, zone: false }];
    case 'datetime':
    case 'timestamp':
      return [moments(type)];
    case 'enum':
    case 'set':
      return [{ kind: 'choice', members: type.members, several: name === 'set' }];
    case 'binary':
    case 'varbinary':
      return [{ kind: 'bytes', max: first ?? 1, fixed: name === 'binary' }];
    case 'uuid':
      return [{ kind: 'uuid' }];
    default:
      return [longOf(name) ?? textOf(type, column.collation ?? '') ?? { kind: 'checked' }];
  }
}

function integers(bits: number, unsigned: boolean): Holding {
  if (unsigned) return { kind: 'integer', min: 0n, max: 2n ** BigInt(bits) - 1n };
  const half = 2n ** BigInt(bits - 1);
  return { kind: 'integer', min: -half, max: half - 1n };
}

function decimals(digits: number, scale: number): Holding {
  return { kind: 'decimal', whole: digits - scale, scale, specials: false };
}

/** A `datetime` has no zone, and is in UTC as the sessions are. */
function moments({ name, first }: NativeType): Holding {
  const zone = name === 'timestamp';
  const min = zone ? STAMP_MIN : `${DAY_MIN}T00:00:00Z`;
  return {
    kind: 'timestamp',
    digits: first ?? 0,
    zone,
    min,
    max: `${DAY_MAX}T23:59:59.999999Z`,
    specials: false,
  };
}

function longOf(name: string): Holding | null {
  const max = BLOB_BYTES[name];
  return max === undefined ? null : { kind: 'bytes', max, fixed: false };
}

/** The limit of a long text is in bytes of its character set; of one whose bytes are not those of UTF-8 it is at most so many characters. */
function textOf({ name, first }: NativeType, collation: string): Holding | null {
  const bytes = TEXT_BYTES[name];
  const isShort = name === 'char' || name === 'varchar';
  if (bytes === undefined && !isShort) return null;
  const limit = bytes ?? NO_BOUND;
  const isUtf8 = UTF8.test(collation);
  return {
    kind: 'text',
    chars: isShort
      ? (first ?? 1)
      : isUtf8
        ? NO_BOUND
        : Math.floor(limit / (TWO_BYTES.test(collation) ? 2 : 1)),
    bytes: isUtf8 ? limit : NO_BOUND,
    padded: name === 'char',
    nul: true,
    planes: !SHORT_PLANES.test(collation),
  };
}
