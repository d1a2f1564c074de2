import { isRecord } from '../../../base/json.ts';
import type { Incremental, Query } from '../resource-config.ts';

const LOWER = ['gte', 'gt', 'eq'];
const UPPER = ['lt', 'lte', 'eq'];

/**
 * The parameters with which the API sends only what meets the filter's bounds on the incremental field. What it sends beside that is
 * left out by the filter itself.
 */
export function incrementalQuery(
  incremental: Incremental | null,
  filter: Readonly<Record<string, unknown>> | null,
): Query {
  if (incremental === null || filter === null) return {};
  const condition = Object.hasOwn(filter, incremental.field) ? filter[incremental.field] : undefined;
  const lower = boundIn(condition, LOWER);
  const upper = incremental.end_param === undefined ? undefined : boundIn(condition, UPPER);
  return {
    ...(lower === undefined ? {} : { [incremental.param]: formatted(lower, incremental.format) }),
    ...(upper === undefined ? {} : { [incremental.end_param ?? '']: formatted(upper, incremental.format) }),
  };
}

/** `or_null` bounds rows that have a value; the API cannot say more. */
function boundIn(condition: unknown, operators: readonly string[]): unknown {
  if (!isRecord(condition)) return typeof condition === 'object' ? undefined : condition;
  for (const name of operators) {
    const value = condition[name];
    if (value !== undefined && value !== null) return value;
  }
  return condition['or_null'] === undefined ? undefined : boundIn(condition['or_null'], operators);
}

function formatted(value: unknown, format: Incremental['format']): string | number {
  if (format === 'text') return String(value);
  const time = typeof value === 'number' ? value : Date.parse(String(value));
  if (!Number.isFinite(time)) return String(value);
  switch (format) {
    case 'iso':
      return new Date(time).toISOString();
    case 'date':
      return new Date(time).toISOString().slice(0, 10);
    case 'unix':
      return Math.floor(time / 1_000);
    case 'unix_ms':
      return Math.floor(time);
    default:
      return format satisfies never;
  }
}
