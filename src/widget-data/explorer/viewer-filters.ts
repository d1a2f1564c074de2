import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { Conditions } from '../../drivers/driver.ts';
import { recordsOf } from '../../language/dashboard/widgets/payload-input.ts';

const LIST_MAX = 200;
const TEXT_CHARS_MAX = 1_000;
/** A day, and what may stand after it of a moment. */
const DATE = /^(\d{4}-\d{2}-\d{2})([T ][\d:.,+Z-]{1,30})?$/;

type FilterType = 'text' | 'number' | 'boolean' | 'date';

/** The filters that an explorer offers: column to type. */
export function declaredFilters(config: Readonly<Record<string, unknown>>): ReadonlyMap<string, FilterType> {
  const filters = new Map<string, FilterType>();
  for (const { key, type } of recordsOf(config['filters'])) {
    if (typeof key === 'string') filters.set(key, (type as FilterType | undefined) ?? 'text');
  }
  return filters;
}

/** Every problem of a viewer's conditions: columns that are not offered, unknown operators, values of the wrong type. */
export function filterProblems(filters: Conditions, declared: ReadonlyMap<string, FilterType>): Problem[] {
  return Object.entries(filters).flatMap(([column, condition]) => {
    const path = `filters.${column}`;
    const type = declared.get(column);
    if (type === undefined) {
      const known = [...declared.keys()];
      const others = known.length === 0 ? '; this widget offers no filters' : didYouMean(column, known);
      return [{ path, message: `There is no filter "${column}"${others}` }];
    }
    const operators = isRecord(condition) ? Object.entries(condition) : [['eq', condition] as const];
    if (operators.length === 0) return [{ path, message: `The filter "${column}" has no condition` }];
    return operators.flatMap(([operator, operand]) => {
      const wrong = operandProblem(operator, operand, type);
      return wrong === null ? [] : [{ path, message: `The filter "${column}" ${wrong}` }];
    });
  });
}

/** The end of a sentence that begins with the filter's name; null where it is right. */
function operandProblem(operator: string, operand: unknown, type: FilterType): string | null {
  switch (operator) {
    case 'eq':
    case 'ne':
      return operand === null ? null : valueProblem(operand, type);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return type === 'boolean' ? `cannot be compared by "${operator}"` : valueProblem(operand, type);
    case 'in':
      if (!Array.isArray(operand) || operand.length === 0 || operand.length > LIST_MAX)
        return `takes a list of 1 to ${LIST_MAX} values for "in"`;
      for (const item of operand) {
        const wrong = item === null ? null : valueProblem(item, type);
        if (wrong !== null) return wrong;
      }
      return null;
    case 'contains':
      return valueProblem(operand, 'text');
    case 'is_null':
      return typeof operand === 'boolean' ? null : 'takes true or false for "is_null"';
    default:
      return `has no operator "${operator}"; use eq, ne, gt, gte, lt, lte, in, contains or is_null`;
  }
}

function valueProblem(value: unknown, type: FilterType): string | null {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'takes a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'takes true or false';
    case 'date':
      return isDate(value) ? null : 'takes a date, such as "2026-01-31"';
    case 'text':
      if (typeof value !== 'string') return 'takes a text';
      return value.length > TEXT_CHARS_MAX ? `takes a text of at most ${TEXT_CHARS_MAX} characters` : null;
    default:
      return type satisfies never;
  }
}

function isDate(value: unknown): boolean {
  const day = typeof value === 'string' ? DATE.exec(value)?.[1] : undefined;
  if (day === undefined) return false;
  const at = new Date(`${day}T00:00:00Z`);
  // A day that no month has, such as 31 February, comes out as another one.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}
