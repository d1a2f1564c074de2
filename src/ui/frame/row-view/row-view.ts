import type { components } from '../../../client/openapi-types.ts';
import { readNumber, typedNumber } from '../../kit/numbers/typed-number.ts';
import { isRow } from '../records/row.ts';

export const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'is_null'] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  readonly column: string;
  readonly operator: Operator;
  /** As typed, numbers as the page writes them; of no meaning to `is_null`. */
  readonly value: string;
}

/** How the rows of a resource are looked at, as the address says it. */
export interface RowView {
  /** In this order; left out: all. */
  readonly columns?: readonly string[];
  /** `name` ascending, `-name` descending. */
  readonly sort?: string;
  /** All of them hold. */
  readonly where?: readonly Condition[];
}

/** Reads a view from an address or from what was saved; what is no part of one is left out. */
export function rowView(search: Readonly<Record<string, unknown>>): RowView {
  const columns = Array.isArray(search['columns']) ? search['columns'].map(String) : [];
  const sort = search['sort'];
  const where = Array.isArray(search['where']) ? search['where'].flatMap(conditionOf) : [];
  return {
    ...(columns.length > 0 && { columns }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
    ...(where.length > 0 && { where }),
  };
}

function conditionOf(one: unknown): Condition[] {
  if (!isRow(one)) return [];
  const operator = operators.find((known) => known === one['operator']);
  if (operator === undefined || typeof one['column'] !== 'string') return [];
  return [{ column: one['column'], operator, value: String(one['value'] ?? '') }];
}

export type Column = components['schemas']['ExplorerPage']['columns'][number];
type Filter = Record<string, Record<string, unknown>>;

/** The same as the API takes it. `columns`: of the resource, whose types say what is a number. */
export function requestOf({ columns, sort, where = [] }: RowView, known: readonly Column[]) {
  const filter: Filter = {};
  for (const { column, operator, value } of where) {
    if (isUnread({ column, operator, value }, known)) continue;
    const wanted = operator === 'contains' ? value : typed(value, typeIn(known, column));
    filter[column] = { ...filter[column], [operator]: operator === 'is_null' || wanted };
  }
  return {
    ...(columns !== undefined && { columns: [...columns] }),
    ...(sort !== undefined && { sort: [sort] }),
    ...(Object.keys(filter).length > 0 && { filter }),
  };
}

/** Whether a condition on a column of numbers has a value that is not a number: it is then left out of what is asked. */
export function isUnread({ column, operator, value }: Condition, known: readonly Column[]): boolean {
  return (
    operator !== 'is_null' && operator !== 'contains' && typed(value, typeIn(known, column)) === undefined
  );
}

function typeIn(known: readonly Column[], column: string): string {
  return known.find(({ name }) => name === column)?.type ?? '';
}

/** Undefined where a number is wanted and the text is none as the page writes it. */
function typed(value: string, type: string): string | number | boolean | undefined {
  if (/int|num|dec|float|double|real/i.test(type)) {
    const read = readNumber(value);
    return read.kind === 'number' ? (read.value ?? value) : undefined;
  }
  if (/bool/i.test(type) && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

/** A saved view as the page has it; null where it uses what only the API can say, such as `in` or two orders. */
export function viewOfPreset(preset: components['schemas']['ExplorerPreset']): RowView | null {
  const where: Condition[] = [];
  for (const [column, wanted] of Object.entries(preset.filter)) {
    for (const [name, value] of Object.entries(isRow(wanted) ? wanted : { eq: wanted })) {
      const operator = operators.find((known) => known === name);
      const isSimple = value === null || typeof value !== 'object';
      if (operator === undefined || !isSimple || (operator === 'is_null' && value !== true)) return null;
      where.push({ column, operator, value: operator === 'is_null' ? '' : valueText(value) });
    }
  }
  const [sort = '', ...others] = preset.sort;
  return others.length > 0 ? null : rowView({ columns: preset.columns, sort, where });
}

function valueText(value: unknown): string {
  return typeof value === 'number' ? typedNumber(value) : String(value);
}
