import { isRecord } from '../../base/json.ts';
import { ConnectorError } from '../driver.ts';
import type { BoundValues } from './flavor.ts';
import { quoteIdentifier } from './identifier.ts';

export type SqlFilter = Readonly<Record<string, unknown>>;

export const filterConditionsMax = 100;
export const filterValuesMax = 1_000;
/** How deep `and` may be nested. */
export const filterDepthMax = 8;

const COMPARISONS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/**
 * Filters as one condition, their values bound: `{age: {gte: 18}, name: 'x', city: null}`. All conditions are joined by AND, those
 * of `and: [{gte: 18}, {gte: 21}]` too; as in SQL, null matches `is_null`, `eq: null` and `or_null` alone; `contains` ignores case.
 * Empty for empty filters. Throws `CONFIG` for an unknown operator or an unfit value.
 */
export function writePredicate(filters: SqlFilter | readonly SqlFilter[], bound: BoundValues): string {
  const conditions: string[] = [];
  for (const filter of isList(filters) ? filters : [filters]) {
    for (const [column, wanted] of Object.entries(filter)) {
      writeConditions(column, wanted, bound, conditions, filterDepthMax);
    }
  }
  return conditions.join(' AND ');
}

function isList(filters: SqlFilter | readonly SqlFilter[]): filters is readonly SqlFilter[] {
  return Array.isArray(filters);
}

function writeConditions(
  column: string,
  wanted: unknown,
  bound: BoundValues,
  into: string[],
  depth: number,
): void {
  const operators = isRecord(wanted) ? Object.entries(wanted) : [['eq', wanted] as const];
  if (operators.length === 0) throw new ConnectorError('CONFIG', `The filter on "${column}" has no operator`);
  for (const [operator, value] of operators) {
    if (operator === 'or_null') {
      into.push(orNull(column, value, bound, depth));
      continue;
    }
    if (operator !== 'and') {
      into.push(writeCondition(column, operator, value, bound));
      if (into.length > filterConditionsMax)
        throw new ConnectorError('CONFIG', `A filter has at most ${filterConditionsMax} conditions`);
      continue;
    }
    if (!Array.isArray(value) || value.length === 0 || depth === 0) {
      throw new ConnectorError(
        'CONFIG',
        `The operator "and" on "${column}" takes a list of conditions, up to ${filterDepthMax} deep`,
      );
    }
    for (const item of value) writeConditions(column, item, bound, into, depth - 1);
  }
}

function orNull(column: string, value: unknown, bound: BoundValues, depth: number): string {
  if (!isRecord(value) || depth === 0)
    throw new ConnectorError('CONFIG', `The operator "or_null" on "${column}" takes a condition`);
  const conditions: string[] = [];
  writeConditions(column, value, bound, conditions, depth - 1);
  return `(${conditions.join(' AND ')} OR ${quoteIdentifier(column)} IS NULL)`;
}

function writeCondition(column: string, operator: string, value: unknown, bound: BoundValues): string {
  const name = quoteIdentifier(column);
  switch (operator) {
    case 'eq':
      return value === null ? `${name} IS NULL` : `${name} = ${bound.add(scalar(column, value))}`;
    case 'ne':
      return value === null ? `${name} IS NOT NULL` : `${name} <> ${bound.add(scalar(column, value))}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return `${name} ${COMPARISONS[operator]} ${bound.add(scalar(column, value))}`;
    case 'in':
      return writeIn(column, value, bound);
    case 'contains':
      if (typeof value !== 'string') {
        throw new ConnectorError('CONFIG', `The operator "contains" on "${column}" takes a text`);
      }
      return bound.flavor.contains(name, value, (part) => bound.add(part));
    case 'is_null':
      if (typeof value !== 'boolean') {
        throw new ConnectorError('CONFIG', `The operator "is_null" on "${column}" takes true or false`);
      }
      return value ? `${name} IS NULL` : `${name} IS NOT NULL`;
    default:
      throw new ConnectorError(
        'CONFIG',
        `The filter on "${column}" has the unknown operator "${operator}"; use eq, ne, gt, gte, lt, lte, in, contains, is_null, and or or_null`,
      );
  }
}

/** True where one of the columns contains the text; in brackets, so that it joins others. */
export function writeSearch(columns: readonly string[], text: string, bound: BoundValues): string {
  const tests = columns.map((column) => {
    return bound.flavor.contains(quoteIdentifier(column), text, (part) => bound.add(part));
  });
  return `(${tests.join(' OR ')})`;
}

function writeIn(column: string, value: unknown, bound: BoundValues): string {
  const name = quoteIdentifier(column);
  if (!Array.isArray(value) || value.length > filterValuesMax) {
    throw new ConnectorError(
      'CONFIG',
      `The operator "in" on "${column}" takes a list of at most ${filterValuesMax} values`,
    );
  }
  const values = value.filter((item) => item !== null);
  const among = values.map((item) => bound.add(scalar(column, item))).join(', ');
  const tests = values.length === 0 ? [] : [`${name} IN (${among})`];
  if (values.length < value.length) tests.push(`${name} IS NULL`);
  return tests.length === 0 ? '1 = 0' : `(${tests.join(' OR ')})`;
}

function scalar(column: string, value: unknown): unknown {
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return value;
  throw new ConnectorError('CONFIG', `The filter on "${column}" takes a text, a number or true or false`);
}
