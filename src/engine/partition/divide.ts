import type { Conditions } from '../../drivers/driver.ts';
import { timeOf } from '../../drivers/value-order.ts';
import { boundOf, timeLike } from '../cursor/cursor-value.ts';
import type { Part } from './part.ts';

/** The least and the greatest value of a column; of an integer as texts, so that none is rounded. */
export interface Span {
  readonly type: 'integer' | 'date' | 'datetime';
  readonly least: string;
  readonly greatest: string;
}

/** The bounds between ranges of equal width, in order; fewer than `parts - 1` where there are not that many values. */
export function boundsBetween({ type, least, greatest }: Span, parts: number): readonly string[] {
  const [from, to] =
    type === 'integer'
      ? [BigInt(least), BigInt(greatest)]
      : [BigInt(timeOf(least)), BigInt(timeOf(greatest))];
  const bounds = new Set<string>();
  for (let part = 1n; part < BigInt(parts); part++) {
    const bound = from + ((to - from + 1n) * part) / BigInt(parts);
    bounds.add(type === 'integer' ? String(bound) : timeLike(type, least, Number(bound)));
  }
  // Of a narrow span the first ranges would hold nothing.
  bounds.delete(type === 'integer' ? String(from) : timeLike(type, least, Number(from)));
  return [...bounds];
}

/**
 * The ranges between the bounds, and the rows without a value. The first and the last are open, so that rows which come after the
 * bounds were made are in one of them.
 */
export function rangeParts(by: string, type: Span['type'], bounds: readonly string[]): readonly Part[] {
  const ranges = [null, ...bounds].map((from, index): readonly [string, Conditions] => {
    const to = bounds[index] ?? null;
    if (from === null && to === null) return [`${by} has a value`, { is_null: false }];
    const label = [from === null ? '' : `>= ${from}`, to === null ? '' : `< ${to}`];
    return [
      `${by} ${label.filter((text) => text !== '').join(' and ')}`,
      {
        ...(from === null ? {} : { gte: boundOf(type, from) }),
        ...(to === null ? {} : { lt: boundOf(type, to) }),
      },
    ];
  });
  return numbered([...ranges, withoutValue(by)]);
}

/**
 * The rows of each value, those of all others, and those without one. A value's part leaves out the values before it: a source may
 * hold two of them for equal, such as `a` and `A`.
 */
export function valueParts(by: string, values: readonly (string | number | boolean)[]): readonly Part[] {
  const own = values.map((value, index): readonly [string, Conditions] => {
    const before = values.slice(0, index).map((other) => ({ ne: other }));
    return [`${by} = ${value}`, before.length === 0 ? { eq: value } : { and: [{ eq: value }, ...before] }];
  });
  const others: Conditions = { and: values.map((value) => ({ ne: value })) };
  return numbered([...own, [`${by} has another value`, others], withoutValue(by)]);
}

function withoutValue(by: string): readonly [string, Conditions] {
  return [`${by} has no value`, { is_null: true }];
}

function numbered(parts: readonly (readonly [string, Conditions])[]): readonly Part[] {
  return parts.map(([label, condition], index) => ({ number: index + 1, label, condition, files: null }));
}
