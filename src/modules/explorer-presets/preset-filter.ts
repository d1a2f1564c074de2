import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

/** The operators of a condition, as the drivers' pages accept them. */
export const FILTER_OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'is_null'] as const;
type FilterOperator = (typeof FILTER_OPERATORS)[number];

export const NAME_CHARS_MAX = 500;
const CONDITIONS_MAX = 100;
const LISTED_VALUES_MAX = 1_000;
const VALUE_CHARS_MAX = 2_000;

interface FilterProblem {
  readonly path: readonly (string | number)[];
  readonly message: Problem['message'];
}

/**
 * All problems of a saved filter such as `{age: {gte: 18}, name: 'Ada', city: null}`: a column equals a value or has operators.
 * Columns are not looked up: a resource may change, and the explorer then reports what is missing.
 */
export function filterProblems(filter: Readonly<Record<string, unknown>>): readonly FilterProblem[] {
  let conditions = 0;
  const problems = Object.entries(filter).flatMap(([column, wanted]): FilterProblem[] => {
    const name = nameProblem(column);
    const operators = isRecord(wanted) ? Object.entries(wanted) : null;
    conditions += operators?.length ?? 1;
    return [
      ...(name === null ? [] : [{ path: [column], message: name }]),
      ...(operators === null ? equalityProblems(column, wanted) : operatorProblems(column, operators)),
    ];
  });
  if (conditions > CONDITIONS_MAX)
    problems.push({ path: [], message: `A filter has at most ${CONDITIONS_MAX} conditions` });
  return problems;
}

function equalityProblems(column: string, wanted: unknown): FilterProblem[] {
  const message = Array.isArray(wanted)
    ? `A list takes the operator "in": {"${column}": {"in": [...]}}`
    : valueProblem(wanted, true);
  return message === null ? [] : [{ path: [column], message }];
}

function operatorProblems(
  column: string,
  operators: readonly (readonly [string, unknown])[],
): FilterProblem[] {
  if (operators.length === 0)
    return [{ path: [column], message: `Name an operator: ${FILTER_OPERATORS.join(', ')}` }];
  return operators.flatMap(([operator, operand]) => {
    const message = isOperator(operator)
      ? operandProblem(operator, operand)
      : `There is no operator "${operator.slice(0, 50)}"; there are ${FILTER_OPERATORS.join(', ')}`;
    return message === null ? [] : [{ path: [column, operator], message }];
  });
}

function isOperator(name: string): name is FilterOperator {
  return (FILTER_OPERATORS as readonly string[]).includes(name);
}

function operandProblem(operator: FilterOperator, operand: unknown): string | null {
  switch (operator) {
    case 'eq':
    case 'ne':
      return valueProblem(operand, true);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return valueProblem(operand, false);
    case 'in':
      return listProblem(operand);
    case 'contains':
      return typeof operand === 'string' ? valueProblem(operand, false) : '"contains" takes a text';
    case 'is_null':
      return typeof operand === 'boolean' ? null : '"is_null" takes true or false';
    default:
      return operator satisfies never;
  }
}

function listProblem(operand: unknown): string | null {
  if (!Array.isArray(operand)) return '"in" takes a list of values';
  if (operand.length === 0) return '"in" takes at least one value';
  if (operand.length > LISTED_VALUES_MAX) return `"in" takes at most ${LISTED_VALUES_MAX} values`;
  return operand.map((item) => valueProblem(item, true)).find((problem) => problem !== null) ?? null;
}

function valueProblem(value: unknown, orNull: boolean): string | null {
  if (value === null && orNull) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return null;
  if (typeof value !== 'string')
    return orNull
      ? 'A value is a string, a number, true, false or null'
      : 'A value is a string, a number, true or false';
  return value.length > VALUE_CHARS_MAX ? `A value has at most ${VALUE_CHARS_MAX} characters` : null;
}

function nameProblem(column: string): string | null {
  if (column === '') return 'A column needs a name';
  return column.length > NAME_CHARS_MAX ? `A column's name has at most ${NAME_CHARS_MAX} characters` : null;
}
