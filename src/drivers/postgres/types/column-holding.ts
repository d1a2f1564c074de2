import { integerBounds } from '../../types/type-bounds.ts';
import type { Holding } from '../../values/holding.ts';
import { numericDigits } from './declared-oid.ts';
import type { EngineType } from './engine-type.ts';

const WITHOUT_BOUND = Number.POSITIVE_INFINITY;
/** Digits of a second that the engine keeps. */
const SECOND_DIGITS = 6;
/** Modifiers of texts count from the length of a header. */
const HEADER = 4;
const NAME_BYTES = 63;
const UNSIGNED_BITS = 32;

/** Types that PostgreSQL writes and reads itself, and that no common type stands for: it takes their text, or refuses it. */
const CHECKED: Holding = { kind: 'checked' };

const text = (chars: number, padded = false, bytes = WITHOUT_BOUND): Holding => ({
  kind: 'text',
  chars,
  bytes,
  padded,
  nul: false,
  planes: true,
});

const whole = (bits: number, isUnsigned = false): Holding =>
  integerBounds(bits, isUnsigned) as Extract<Holding, { kind: 'integer' }>;

const timestamp = (modifier: number, zone: boolean): Holding => ({
  kind: 'timestamp',
  digits: modifier < 0 ? SECOND_DIGITS : modifier,
  zone,
  min: '0001-01-01T00:00:00',
  max: '9999-12-31T23:59:59.999999',
  specials: true,
});

const time = (modifier: number, zone: boolean): Holding => ({
  kind: 'time',
  digits: modifier < 0 ? SECOND_DIGITS : modifier,
  max: '24:00:00',
  signed: false,
  zone,
});

function decimal(modifier: number): Holding {
  const digits = numericDigits(modifier);
  if (digits === null) return { kind: 'decimal', whole: WITHOUT_BOUND, scale: WITHOUT_BOUND, specials: true };
  const { precision, scale } = digits;
  return {
    kind: 'decimal',
    whole: Math.max(0, precision - scale),
    scale: Math.max(0, scale),
    specials: true,
  };
}

/** By the OID of the type: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat. */
const HOLDINGS: Readonly<Record<number, (modifier: number) => Holding>> = {
  16: () => ({ kind: 'boolean' }),
  17: () => ({ kind: 'bytes', max: WITHOUT_BOUND, fixed: false }),
  // Both are cut without a word.
  18: () => text(1, false, 1),
  19: () => text(NAME_BYTES, false, NAME_BYTES),
  20: () => whole(64),
  21: () => whole(16),
  23: () => whole(32),
  25: () => text(WITHOUT_BOUND),
  26: () => whole(UNSIGNED_BITS, true),
  114: () => ({ kind: 'json' }),
  700: () => ({ kind: 'number', bits: 24, specials: true }),
  701: () => ({ kind: 'number', bits: 53, specials: true }),
  1042: (modifier) => text(modifier < HEADER ? WITHOUT_BOUND : modifier - HEADER, modifier >= HEADER),
  1043: (modifier) => text(modifier < HEADER ? WITHOUT_BOUND : modifier - HEADER),
  1082: () => ({ kind: 'date', min: '0001-01-01', max: '9999-12-31', specials: true }),
  1083: (modifier) => time(modifier, false),
  1114: (modifier) => timestamp(modifier, false),
  1184: (modifier) => timestamp(modifier, true),
  1266: (modifier) => time(modifier, true),
  1560: (modifier) => ({ kind: 'bits', count: modifier, fixed: true }),
  1562: (modifier) => ({ kind: 'bits', count: modifier < 0 ? WITHOUT_BOUND : modifier, fixed: false }),
  1700: decimal,
  2950: () => ({ kind: 'uuid' }),
  3802: () => ({ kind: 'json' }),
};

/** What a column of this type holds exactly. */
export function columnHolding({ oid, modifier, element, members }: EngineType): Holding {
  if (element !== null) return { kind: 'array', of: columnHolding(element) };
  if (members !== null) return { kind: 'choice', members, several: false };
  return HOLDINGS[oid]?.(modifier) ?? CHECKED;
}
