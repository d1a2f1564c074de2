import type { Column } from '../../../driver.ts';
import type { ColumnBuffer } from '../chunk/column-buffer.ts';
import type { ColumnForm, FormOf } from './form.ts';
import { putFixed, putLong } from './put-values.ts';

const DIGITS_MAX = 38;
/** Digits that always fit into 64 bits, and those that a number holds. */
const LONG_DIGITS = 18;
const NUMBER_DIGITS = 15;
const BYTES = 16;
const MINUS = 45;
const POINT = 46;

interface Shape {
  readonly precision: number;
  readonly scale: number;
}

/** Digits and scale as declared, such as `numeric(10,2)`; null where they are not known, or more than Parquet has. */
function shapeOf({ native_type = '', declared }: Column): Shape | null {
  const [, digits = '', point = '0'] = /\((\d+)(?:,\s*(\d+))?\)$/.exec(native_type) ?? [];
  const { precision = Number(digits), scale = Number(point) } = declared ?? {};
  return precision >= 1 && precision <= DIGITS_MAX && scale >= 0 && scale <= precision
    ? { precision, scale }
    : null;
}

/** null where the column has no bounds that Parquet has, so that it is text. */
export function decimalForm({ column, base, cellOf }: FormOf): ColumnForm | null {
  const shape = shapeOf(column);
  if (shape === null) return null;
  const { precision, scale } = shape;
  const cell = cellOf({ kind: 'decimal', whole: precision - scale, scale, specials: false });
  const element = { ...base, converted_type: 'DECIMAL', precision, scale } as const;
  const below = precision <= NUMBER_DIGITS ? 10 ** precision : Number.POSITIVE_INFINITY;
  const isLong = precision <= LONG_DIGITS;
  const put = (to: ColumnBuffer, value: unknown) => {
    const near = typeof value === 'string' ? plainUnscaled(value, scale) : Number.NaN;
    if (Math.abs(near) < below) (isLong ? putLong : putWide)(to, near);
    else {
      const exact = unscaledOf(String(cell(value)), scale);
      if (isLong) to.longs[to.used >> 3] = exact;
      else putWidest(to, exact);
    }
  };
  return isLong
    ? { element: { ...element, type: 'INT64' }, order: 'long', width: 8, put: putFixed(8, put) }
    : {
        element: { ...element, type: 'FIXED_LEN_BYTE_ARRAY', type_length: BYTES },
        order: 'signed-bytes',
        width: BYTES,
        put: putFixed(BYTES, put),
      };
}

/** The digits of a short decimal as a whole number; NaN for anything else. */
function plainUnscaled(text: string, scale: number): number {
  const from = text.charCodeAt(0) === MINUS ? 1 : 0;
  let number = 0;
  let point = -1;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT && point < 0 && at > from) point = at;
    else if (code >= 48 && code <= 57) number = number * 10 + code - 48;
    else return Number.NaN;
  }
  const missing = scale - (point < 0 ? 0 : text.length - point - 1);
  const isWhole = text.length > from && point !== text.length - 1;
  if (!isWhole || missing < 0 || text.length + missing > NUMBER_DIGITS) return Number.NaN;
  const unscaled = number * 10 ** missing;
  return from === 0 ? unscaled : -unscaled;
}

function unscaledOf(digits: string, scale: number): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/** Sixteen bytes, the greatest first. */
function putWide({ bytes, used }: ColumnBuffer, value: number): void {
  bytes.fill(value < 0 ? 255 : 0, used, used + 8);
  bytes.writeInt32BE(Math.floor(value / 4_294_967_296), used + 8);
  bytes.writeInt32BE(value | 0, used + 12);
}

function putWidest({ bytes, used }: ColumnBuffer, value: bigint): void {
  bytes.writeBigInt64BE(value >> 64n, used);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value), used + 8);
}
