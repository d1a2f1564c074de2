import type { Column, Row } from '../../drivers/driver.ts';
import { withoutKey } from '../../drivers/types/declared-type.ts';
import type { Op } from '../../language/task/steps/ops/transform-ops.ts';
import { shown } from './cast/cast-error.ts';
import { RowError } from './row-error.ts';
import type { RowShape, SpreadOp } from './row-op.ts';

type Unnest = Extract<Op, { op: 'unnest' }>;

/** A row for each item of a list: the operation, and what is known of its rows. */
export function compileUnnest(
  op: Unnest,
  shape: RowShape,
): { readonly op: SpreadOp; readonly shape: RowShape } {
  const { field, position, keep_empty } = op;
  const item = op.as ?? field;
  const added = [item, position].filter((name) => name !== null);
  const kept = shape.columns.filter(({ name }) => name !== field && !added.includes(name));
  const made: Column[] = [{ name: item, type: 'unknown', nullable: true }];
  if (position !== null) made.push({ name: position, type: 'integer', nullable: true });
  const at = shape.columns.slice(0, indexOf(shape.columns, field)).filter((column) => kept.includes(column));
  const columns = [...at, ...made, ...kept.slice(at.length)].map(withoutKey);
  const blank: Row = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const rowOf = (row: Row, value: unknown, index: number | null): Row => {
    const out = { ...blank };
    for (const { name } of kept) out[name] = row[name];
    out[item] = value ?? null;
    if (position !== null) out[position] = index;
    return out;
  };
  const spread = (row: Row): readonly Row[] => {
    const list = row[field] ?? [];
    if (!Array.isArray(list)) throw noList(field, list);
    if (list.length === 0) return keep_empty ? [rowOf(row, null, null)] : [];
    return list.map((value, index) => rowOf(row, value, index + 1));
  };
  const computed = new Set([...shape.computed].filter((name) => name !== field && !added.includes(name)));
  return {
    op: { sync: spread, async: async (row) => spread(row) },
    shape: { columns, computed: new Set([...computed, item]), owned: true },
  };
}

function indexOf(columns: readonly Column[], field: string): number {
  const at = columns.findIndex(({ name }) => name === field);
  return at === -1 ? columns.length : at;
}

function noList(field: string, value: unknown): RowError {
  const hint = typeof value === 'string' ? '; text that holds JSON becomes a list by a cast to json' : '';
  return new RowError(
    'UNNEST_ERROR',
    `Column "${field}": ${shown(value)} is not a list${hint}`,
    field,
    value,
  );
}
