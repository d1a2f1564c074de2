import type { CastType } from '../../language/task/cast/cast-type.ts';
import type { DeclaredType } from './declared-type.ts';

/**
 * What fits into a column, for columns of which there are wider ones. `decimal`: digits before and after the point. `text`: code
 * points, and bytes in UTF-8. `timestamp`: digits of a second. Without a bound they are `Infinity`.
 */
export type TypeBounds =
  | { readonly kind: 'integer'; readonly min: bigint; readonly max: bigint }
  | { readonly kind: 'decimal'; readonly whole: number; readonly scale: number }
  | { readonly kind: 'text'; readonly chars: number; readonly bytes: number }
  | { readonly kind: 'date' }
  | { readonly kind: 'timestamp'; readonly digits: number };

/** A column of a target, and whether rows are found by it. */
export interface BoundColumn {
  /** Without `native_type` it is one of a table that a load makes, of what the source declares. `key`: part of the primary key. */
  readonly column: {
    readonly type: CastType | 'unknown';
    readonly native_type?: string;
    readonly declared?: DeclaredType;
    readonly key?: boolean;
  };
  readonly isKey: boolean;
}

/** How columns of an engine grow. */
export interface TypeWidening {
  /** null where anything goes in that is of the column's type, or nothing is wider. */
  boundsOf(column: BoundColumn): TypeBounds | null;
  /** The narrowest type that holds all of it, as the engine declares it; null where there is none. */
  typeFor(bounds: TypeBounds, column: BoundColumn): string | null;
}

/** A column that gets a wider type. */
export interface WiderColumn {
  readonly name: string;
  /** As the engine declares it; empty of a table that this load makes. */
  readonly from: string;
  readonly to: string;
}

/** The last change of each column. */
export function lastChanges(wider: Iterable<WiderColumn>): readonly WiderColumn[] {
  return [...new Map([...wider].map((column) => [column.name, column])).values()];
}

/** Bounds of an integer of so many bits. */
export function integerBounds(bits: number, isUnsigned = false): TypeBounds {
  if (isUnsigned) return { kind: 'integer', min: 0n, max: 2n ** BigInt(bits) - 1n };
  const half = 2n ** BigInt(bits - 1);
  return { kind: 'integer', min: -half, max: half - 1n };
}

/** True where all that fits into `inner` fits into `outer`. */
export function holds(outer: TypeBounds, inner: TypeBounds): boolean {
  if (outer.kind === 'integer' && inner.kind === 'integer')
    return outer.min <= inner.min && outer.max >= inner.max;
  if (outer.kind === 'decimal') {
    const digits = decimalOf(inner);
    return digits !== null && outer.whole >= digits.whole && outer.scale >= digits.scale;
  }
  if (outer.kind === 'text')
    return inner.kind === 'text' && outer.chars >= inner.chars && outer.bytes >= inner.bytes;
  if (outer.kind === 'timestamp')
    return inner.kind === 'date' || (inner.kind === 'timestamp' && outer.digits >= inner.digits);
  return outer.kind === 'date' && inner.kind === 'date';
}

/** The narrowest bounds that hold both; null for values of different kinds, such as numbers and times. */
export function joined(a: TypeBounds, b: TypeBounds): TypeBounds | null {
  if (holds(a, b)) return a;
  if (holds(b, a)) return b;
  if (a.kind === 'integer' && b.kind === 'integer')
    return { kind: 'integer', min: least(a.min, b.min), max: -least(-a.max, -b.max) };
  if (a.kind === 'text' && b.kind === 'text')
    return { kind: 'text', chars: Math.max(a.chars, b.chars), bytes: Math.max(a.bytes, b.bytes) };
  const [left, right] = [decimalOf(a), decimalOf(b)];
  if (left === null || right === null) return null;
  return {
    kind: 'decimal',
    whole: Math.max(left.whole, right.whole),
    scale: Math.max(left.scale, right.scale),
  };
}

/** `Math.min` takes no bigints. */
function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** The digits of numbers; null of other kinds. */
export function decimalOf(bounds: TypeBounds): { readonly whole: number; readonly scale: number } | null {
  if (bounds.kind === 'decimal') return bounds;
  if (bounds.kind !== 'integer') return null;
  const digits = (value: bigint) => String(value < 0n ? -value : value).length;
  return { whole: Math.max(digits(bounds.min), digits(bounds.max)), scale: 0 };
}
