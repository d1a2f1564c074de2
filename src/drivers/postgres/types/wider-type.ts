import { integerBounds, type TypeBounds, type TypeWidening } from '../../types/type-bounds.ts';
import { createdType } from './created-type.ts';

const INTEGERS = { smallint: integerBounds(16), integer: integerBounds(32), bigint: integerBounds(64) };
const NUMERIC = /^numeric\((\d+),(-?\d+)\)$/;
const TEXT = /^(?:character varying|character|"char")\((\d+)\)$/;
const TIMESTAMP = /^timestamp(?:\((\d)\))? (with|without) time zone$/;

/** https://www.postgresql.org/docs/current/datatype.html: columns of domains, enums and arrays have no bounds that are known here. */
export const postgresWidening: TypeWidening = {
  boundsOf: ({ column: { native_type, ...made } }) => boundsOf(native_type ?? createdType(made)),
  typeFor(bounds, { column: { native_type = '' } }) {
    switch (bounds.kind) {
      case 'integer':
        return wholeType(bounds) ?? 'numeric';
      case 'decimal':
        return 'numeric';
      case 'text':
        return 'text';
      case 'date':
        return 'date';
      case 'timestamp':
        return native_type.endsWith('without time zone') ? native_type.replace(/\(\d\)/, '') : MOMENT;
      default:
        return bounds satisfies never;
    }
  },
};

const MOMENT = 'timestamp with time zone';
/** Digits of a second that the engine keeps. */
const SECOND_DIGITS = 6;

function boundsOf(native: string): TypeBounds | null {
  if (native === 'date') return { kind: 'date' };
  for (const [name, bounds] of Object.entries(INTEGERS)) if (native === name) return bounds;
  const [, precision, scale] = NUMERIC.exec(native) ?? [];
  if (precision !== undefined)
    return {
      kind: 'decimal',
      whole: Number(precision) - Number(scale),
      scale: Math.max(0, Number(scale)),
    };
  const [, chars] = TEXT.exec(native) ?? [];
  if (chars !== undefined) return { kind: 'text', chars: Number(chars), bytes: Number.POSITIVE_INFINITY };
  const [isTimestamp, digits = SECOND_DIGITS] = TIMESTAMP.exec(native) ?? [];
  return isTimestamp === undefined ? null : { kind: 'timestamp', digits: Number(digits) };
}

function wholeType({ min, max }: Extract<TypeBounds, { kind: 'integer' }>): string | undefined {
  return Object.entries(INTEGERS).find(
    ([, held]) => held.kind === 'integer' && held.min <= min && held.max >= max,
  )?.[0];
}
