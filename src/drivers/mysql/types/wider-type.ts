import { decimalOf, integerBounds, type TypeBounds, type TypeWidening } from '../../types/type-bounds.ts';
import { TEXT_BYTES } from './column-holding.ts';
import { INTEGER_BITS, isInteger } from './declared-type.ts';
import { nativeType } from './native-type.ts';
import { KEY_CHARS_MAX, plainType } from './own-type.ts';

const DECIMAL_DIGITS_MAX = 65;
const DECIMAL_SCALE_MAX = 30;
const SECOND_DIGITS = 6;

/** Integers wider than `tinyint`, narrowest first; without a sign only where a column has none already. */
const INTEGERS = ['smallint', 'mediumint', 'int', 'bigint'] as const;

/** https://mariadb.com/kb/en/data-types/ */
export const mysqlWidening: TypeWidening = {
  boundsOf: ({ column: { type, native_type }, isKey }) =>
    boundsOf((native_type ?? plainType(type, isKey)).toLowerCase()),
  typeFor(bounds, { column: { native_type = '' }, isKey }) {
    switch (bounds.kind) {
      case 'integer':
        return (
          wholeType(bounds, native_type.includes('unsigned')) ?? decimalType(decimalOf(bounds)?.whole ?? 0, 0)
        );
      case 'decimal':
        return decimalType(bounds.whole, bounds.scale);
      case 'text':
        if (isKey) return bounds.chars <= KEY_CHARS_MAX ? `varchar(${bounds.chars})` : null;
        return bounds.bytes <= (TEXT_BYTES['longtext'] ?? 0) ? 'longtext' : null;
      case 'date':
        return 'date';
      case 'timestamp':
        return `${native_type.startsWith('timestamp') ? 'timestamp' : 'datetime'}(${SECOND_DIGITS})`;
      default:
        return bounds satisfies never;
    }
  },
};

function boundsOf(native: string): TypeBounds | null {
  const { name, first, second, unsigned } = nativeType(native);
  if (isInteger(name))
    return native.startsWith('tinyint(1)') ? null : integerBounds(INTEGER_BITS[name], unsigned);
  const bytes = TEXT_BYTES[name];
  if (bytes !== undefined) return { kind: 'text', chars: Number.POSITIVE_INFINITY, bytes };
  switch (name) {
    case 'decimal':
      return { kind: 'decimal', whole: Number(first) - Number(second ?? 0), scale: Number(second ?? 0) };
    case 'char':
    case 'varchar':
      return { kind: 'text', chars: Number(first), bytes: 4 * Number(first) };
    case 'date':
      return { kind: 'date' };
    case 'datetime':
    case 'timestamp':
      return { kind: 'timestamp', digits: Number(first ?? 0) };
    default:
      return null;
  }
}

type Whole = Extract<TypeBounds, { kind: 'integer' }>;

function wholeType({ min, max }: Whole, wasUnsigned: boolean): string | null {
  const isUnsigned = wasUnsigned && min >= 0n;
  const name = INTEGERS.find((one) => {
    const held = integerBounds(INTEGER_BITS[one], isUnsigned);
    return held.kind === 'integer' && held.min <= min && held.max >= max;
  });
  return name === undefined ? null : `${name}${isUnsigned ? ' unsigned' : ''}`;
}

function decimalType(whole: number, scale: number): string | null {
  if (whole + scale > DECIMAL_DIGITS_MAX || scale > DECIMAL_SCALE_MAX) return null;
  return `decimal(${whole + scale},${scale})`;
}
