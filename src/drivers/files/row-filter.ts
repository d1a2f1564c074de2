import { isRecord } from '../../base/json.ts';
import { type Column, type Conditions, ConnectorError, type Row } from '../driver.ts';
import { compareNumbers, compareTimes, isTimeText } from '../value-order.ts';

const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'is_null'] as const;
type Operator = (typeof OPERATORS)[number];
type Test = (value: unknown) => boolean;

const NUMERIC = new Set(['integer', 'number', 'decimal']);

function isOperator(name: string): name is Operator {
  return (OPERATORS as readonly string[]).includes(name);
}

/** -1, 0 or 1, or null where two values have no order. Numbers in text compare as numbers when `numeric`. */
function compareValues(a: unknown, b: unknown, numeric: boolean): number | null {
  return numeric ? compareNumbers(a, b) : order(textOf(a), textOf(b));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

function listOf(operator: string, operand: unknown, column: string): readonly unknown[] {
  if (Array.isArray(operand)) return operand;
  throw new ConnectorError('CONFIG', `The filter "${operator}" of "${column}" takes a list of values`);
}

function testOf(operator: Operator, operand: unknown, column: Column): Test {
  const numeric = NUMERIC.has(column.type);
  const compare = (value: unknown): number | null =>
    value === null || value === undefined || operand === null ? null : compareValues(value, operand, numeric);
  const holds = (accept: (order: number) => boolean, by = compare): Test => {
    return (value) => {
      const result = by(value);
      return result !== null && accept(result);
    };
  };
  switch (operator) {
    case 'eq':
      return operand === null ? (value) => value === null || value === undefined : holds((o) => o === 0);
    case 'ne':
      return operand === null ? (value) => value !== null && value !== undefined : holds((o) => o !== 0);
    case 'gt':
      return holds((o) => o > 0, comparedWith(operand, column));
    case 'gte':
      return holds((o) => o >= 0, comparedWith(operand, column));
    case 'lt':
      return holds((o) => o < 0, comparedWith(operand, column));
    case 'lte':
      return holds((o) => o <= 0, comparedWith(operand, column));
    case 'in': {
      const tests = listOf(operator, operand, column.name).map((item) => testOf('eq', item, column));
      return (value) => tests.some((test) => test(value));
    }
    case 'contains': {
      const part = textOf(operand).toLowerCase();
      return (value) => value !== null && value !== undefined && textOf(value).toLowerCase().includes(part);
    }
    case 'is_null':
      return (value) => (value === null || value === undefined) === (operand !== false);
    default:
      return operator satisfies never;
  }
}

/** How values of a column stand to the operand of `gt`, `gte`, `lt` and `lte`: null where the two have no order. */
function comparedWith(operand: unknown, column: Column): (value: unknown) => number | null {
  const isNumber = typeof operand === 'number' || typeof operand === 'bigint';
  const by =
    isNumber || NUMERIC.has(column.type)
      ? compareNumbers
      : isTimeText(operand)
        ? compareTimes
        : (a: unknown, b: unknown) => order(textOf(a), textOf(b));
  return (value) => (value === null || value === undefined || operand === null ? null : by(value, operand));
}

export function findColumn(columns: readonly Column[], name: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const known = columns.slice(0, 20).map((candidate) => `"${candidate.name}"`);
  throw new ConnectorError('CONFIG', `There is no column "${name}"; the columns are ${known.join(', ')}`);
}

/** How deep `and` may be nested. */
const conditionDepthMax = 8;

function conditionTests(column: Column, condition: unknown, depth: number): Test[] {
  const operators = isRecord(condition) ? Object.entries(condition) : [['eq', condition] as const];
  if (operators.length === 0) {
    throw new ConnectorError('CONFIG', `The filter of "${column.name}" has no operator`);
  }
  return operators.flatMap(([operator, operand]) => {
    if (operator === 'or_null') return [orNull(column, operand, depth)];
    if (operator === 'and') {
      const items = listOf(operator, operand, column.name);
      if (items.length === 0 || depth === 0) {
        const bounds = `a list of conditions, up to ${conditionDepthMax} deep`;
        throw new ConnectorError('CONFIG', `The filter "and" of "${column.name}" takes ${bounds}`);
      }
      return items.flatMap((item) => conditionTests(column, item, depth - 1));
    }
    if (isOperator(operator)) return [testOf(operator, operand, column)];
    const known = [...OPERATORS, 'and', 'or_null'].map((name) => `"${name}"`).join(', ');
    throw new ConnectorError('CONFIG', `"${operator}" is not a filter operator; use one of ${known}`);
  });
}

/** A condition that a row also meets without a value, or with one that does not compare with numbers where they are wanted. */
function orNull(column: Column, condition: unknown, depth: number): Test {
  if (!isRecord(condition) || depth === 0)
    throw new ConnectorError('CONFIG', `The filter "or_null" of "${column.name}" takes a condition`);
  const tests = conditionTests(column, condition, depth - 1);
  const bounds = Object.values(condition);
  const unordered = bounds.map((bound) => comparedWith(bound, column));
  return (value) =>
    value === null ||
    value === undefined ||
    tests.every((test) => test(value)) ||
    unordered.some((compare) => compare(value) === null);
}

/** What rows a page or a read gives: those that match every one of the filters and, where there is one, the search. */
export interface RowSelection {
  readonly filters: readonly Conditions[];
  readonly search?: { readonly text: string; readonly columns: readonly string[] } | null;
}

/**
 * A selection as a predicate, or null where every row is selected. As in SQL, null matches `is_null`, `eq: null` and `or_null` alone;
 * `contains` and the search ignore case. Throws `CONFIG` for an unknown column or operator.
 */
export function rowFilter(
  { filters, search = null }: RowSelection,
  columns: readonly Column[],
): ((row: Row) => boolean) | null {
  const tests: { readonly name: string; readonly test: Test }[] = [];
  for (const filter of filters) {
    for (const [name, condition] of Object.entries(filter)) {
      const column = findColumn(columns, name);
      for (const test of conditionTests(column, condition, conditionDepthMax)) tests.push({ name, test });
    }
  }
  if (search === null) {
    return tests.length === 0 ? null : (row) => tests.every(({ name, test }) => test(row[name]));
  }
  const contains = search.columns.map((name) => {
    return { name, test: testOf('contains', search.text, findColumn(columns, name)) };
  });
  return (row) =>
    tests.every(({ name, test }) => test(row[name])) && contains.some(({ name, test }) => test(row[name]));
}

/** The order of a page request, or null for the file's own. Nulls come last, and first when descending. */
export function rowOrder(
  sort: readonly string[] | undefined,
  columns: readonly Column[],
): ((a: Row, b: Row) => number) | null {
  const keys = (sort ?? []).map((key) => {
    const descending = key.startsWith('-');
    const column = findColumn(columns, descending ? key.slice(1) : key);
    return { name: column.name, numeric: NUMERIC.has(column.type), sign: descending ? -1 : 1 };
  });
  if (keys.length === 0) return null;
  return (a, b) => {
    for (const { name, numeric, sign } of keys) {
      const [x, y] = [a[name] ?? null, b[name] ?? null];
      const result =
        x === null || y === null ? Number(x === null) - Number(y === null) : compareValues(x, y, numeric);
      if (result !== null && result !== 0) return result * sign;
    }
    return 0;
  };
}
