import type { TypeBounds } from '../../../drivers/types/type-bounds.ts';
import type { CastType } from '../../../language/task/cast/cast-type.ts';
import { CastError } from '../../ops/cast/cast-error.ts';
import { castTo } from '../../ops/cast/cast-value.ts';

/** Digits of a second that engines keep; what is finer is cut off as ever. */
const SECOND_DIGITS_MAX = 6;

export interface BoundValue {
  /** As a column of the kind takes it; blank text is null. */
  readonly value: unknown;
  /** What a column needs to hold it; null for nothing. */
  readonly bounds: TypeBounds | null;
}

/** A value for a column of this kind, or of a wider one: a fraction for an integer, a moment for a day. null where it is neither. */
export function boundsOfValue(value: unknown, { kind }: TypeBounds): BoundValue | null {
  switch (kind) {
    case 'integer':
      return wholeBounds(value) ?? decimalBounds(value);
    case 'decimal':
      return decimalBounds(value);
    case 'text':
      return textBounds(value);
    case 'date':
      return dayBounds(value) ?? momentBounds(value);
    case 'timestamp':
      return momentBounds(value);
    default:
      return kind satisfies never;
  }
}

const NOTHING: BoundValue = { value: null, bounds: null };

/** undefined where the value is not of the type. */
function cast(type: CastType, value: unknown): unknown {
  try {
    return castTo(type)(value);
  } catch (error) {
    if (error instanceof CastError) return undefined;
    throw error;
  }
}

function wholeBounds(value: unknown): BoundValue | null {
  const made = cast('integer', value);
  if (made === null) return NOTHING;
  if (typeof made !== 'number' && typeof made !== 'string') return null;
  const whole = BigInt(made);
  return { value: made, bounds: { kind: 'integer', min: whole, max: whole } };
}

function decimalBounds(value: unknown): BoundValue | null {
  const made = cast('decimal', typeof value === 'boolean' ? Number(value) : value);
  if (made === null) return NOTHING;
  if (typeof made !== 'string') return null;
  const [whole = '', fraction = ''] = made.replace('-', '').split('.');
  const digits = whole.replace(/^0+/, '').length;
  return {
    value: made,
    bounds: { kind: 'decimal', whole: digits, scale: fraction.replace(/0+$/, '').length },
  };
}

function textBounds(value: unknown): BoundValue | null {
  const made = cast('string', value);
  if (typeof made !== 'string') return null;
  let chars = 0;
  for (const _ of made) chars++;
  return { value, bounds: { kind: 'text', chars, bytes: Buffer.byteLength(made) } };
}

/** A day, or the first moment of one in UTC. */
function dayBounds(value: unknown): BoundValue | null {
  const moment = cast('timestamp', value);
  if (moment === null) return NOTHING;
  const day = typeof moment === 'string' ? /^(.{10})T00:00:00(?:\.0+)?Z$/.exec(moment)?.[1] : undefined;
  return day === undefined ? null : { value: day, bounds: { kind: 'date' } };
}

function momentBounds(value: unknown): BoundValue | null {
  const made = cast('timestamp', value);
  if (made === null) return NOTHING;
  if (typeof made !== 'string') return null;
  const fraction = /\.(\d+?)0*Z$/.exec(made)?.[1] ?? '';
  const digits = Math.min(fraction.length, SECOND_DIGITS_MAX);
  return { value: made, bounds: { kind: 'timestamp', digits } };
}
