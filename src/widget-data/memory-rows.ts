import { isRecord } from '../base/json.ts';
import { type Column, type Conditions, ConnectorError, type Row } from '../drivers/driver.ts';
import { rowFilter, rowOrder } from '../drivers/files/row-filter.ts';

/** Which rows of a call that was made as a whole are wanted, in the terms of a driver's page. */
export interface RowSelection {
  readonly where: readonly Conditions[];
  readonly search: { readonly text: string; readonly columns: readonly string[] } | null;
  readonly sort: readonly string[];
}

const NUMERIC = /^-?\d+(\.\d+)?$/;

/** The rows that match, in order; for rows that no driver can page through. Throws `CONFIG` for what are no rows. */
export function selectRows(data: unknown, method: string, selection: RowSelection): readonly Row[] {
  const rows = rowsOf(data, method);
  const { where, search, sort } = selection;
  const matches = rowFilter({ filters: where, search }, filterColumns(rows, where, search?.columns ?? []));
  const order = rowOrder(sort, sortColumns(rows, sort));
  const found = matches === null ? rows : rows.filter(matches);
  return order === null ? found : found.toSorted(order);
}

/** A single row is a list of one; nothing is none. */
function rowsOf(data: unknown, method: string): readonly Row[] {
  const list: readonly unknown[] = Array.isArray(data)
    ? data
    : data === null || data === undefined
      ? []
      : [data];
  if (list.every(isRecord)) return list;
  throw new ConnectorError(
    'CONFIG',
    `"${method}" gave no list of rows: name a method that gives rows, or make them with "transform_expr"`,
  );
}

/** Numbers compare as such where the rows or the condition have them; a text of digits, such as a postcode, is a text. */
function filterColumns(
  rows: readonly Row[],
  where: readonly Conditions[],
  searched: readonly string[],
): readonly Column[] {
  const named = where.flatMap((conditions) => Object.keys(conditions));
  return [...new Set([...named, ...searched])].map((name) => {
    const asked = where.some(
      (conditions) => Object.hasOwn(conditions, name) && holdsNumber(conditions[name]),
    );
    return column(name, asked || rows.every((row) => isAbsent(row[name]) || typeof row[name] === 'number'));
  });
}

/** Decimals travel as text, and are sorted as numbers. */
function sortColumns(rows: readonly Row[], sort: readonly string[]): readonly Column[] {
  return [...new Set(sort.map((key) => key.replace(/^-/, '')))].map((name) =>
    column(
      name,
      rows.every((row) => isNumeric(row[name])),
    ),
  );
}

function column(name: string, isNumber: boolean): Column {
  return { name, type: isNumber ? 'number' : 'string', nullable: true };
}

function holdsNumber(condition: unknown): boolean {
  if (Array.isArray(condition)) return condition.some(holdsNumber);
  return isRecord(condition) ? Object.values(condition).some(holdsNumber) : typeof condition === 'number';
}

function isNumeric(value: unknown): boolean {
  if (isAbsent(value) || typeof value === 'number') return true;
  return typeof value === 'string' && NUMERIC.test(value);
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}
