import { isRecord } from '../../base/json.ts';
import { type Column, type Conditions, ConnectorError, type Row } from '../driver.ts';

const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'is_null'] as const;
type Operator = (typeof OPERATORS)[number];
type Test = (value: unknown) => boolean;

const NUMERIC = new Set(['integer', 'number', 'decimal']);

function isOperator(name: string): name is Operator {
  return (OPERATORS as readonly string[]).includes(name);
}

/** -1, 0 or 1, or null where two values have no order. Numbers in text compare as numbers when `numeric`. */
export function compareValues(a: unknown, b: unknown, numeric: boolean): number | null {
  if (numeric) {
    const [x, y] = [Number(a), Number(b)];
    if (a === '' || b === '' || Number.isNaN(x) || Number.isNaN(y)) return null;
    // Beyond 2^53 two numbers can look equal that are not; whole numbers then compare exactly.
    if (x === y && !Number.isSafeInteger(x) && isWhole(a) && isWhole(b))
      return order(BigInt(String(a)), BigInt(String(b)));
    return order(x, y);
  }
  return order(textOf(a), textOf(b));
}

function isWhole(value: unknown): boolean {
  return /^-?\d+$/.test(String(value));
}

function order<T extends string | number | bigint>(a: T, b: T): number {
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
  const holds = (accept: (order: number) => boolean): Test => {
    return (value) => {
      const result = compare(value);
      return result !== null && accept(result);
    };
  };
  switch (operator) {
    case 'eq':
      return operand === null ? (value) => value === null || value === undefined : holds((o) => o === 0);
    case 'ne':
      return operand === null ? (value) => value !== null && value !== undefined : holds((o) => o !== 0);
    case 'gt':
      return holds((o) => o > 0);
    case 'gte':
      return holds((o) => o >= 0);
    case 'lt':
      return holds((o) => o < 0);
    case 'lte':
      return holds((o) => o <= 0);
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
    if (operator === 'and') {
      const items = listOf(operator, operand, column.name);
      if (items.length === 0 || depth === 0) {
        const bounds = `a list of conditions, up to ${conditionDepthMax} deep`;
        throw new ConnectorError('CONFIG', `The filter "and" of "${column.name}" takes ${bounds}`);
      }
      return items.flatMap((item) => conditionTests(column, item, depth - 1));
    }
    if (isOperator(operator)) return [testOf(operator, operand, column)];
    const known = [...OPERATORS, 'and'].map((name) => `"${name}"`).join(', ');
    throw new ConnectorError('CONFIG', `"${operator}" is not a filter operator; use one of ${known}`);
  });
}

/** What rows a page or a read gives: those that match every one of the filters and, where there is one, the search. */
export interface RowSelection {
  readonly filters: readonly Conditions[];
  readonly search?: { readonly text: string; readonly columns: readonly string[] } | null;
}

/**
 * A selection as a predicate, or null where every row is selected. As in SQL, null matches `is_null` and `eq: null` alone;
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
