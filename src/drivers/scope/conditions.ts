import { isRecord } from '../../base/json.ts';
import type { Conditions } from '../driver.ts';

/**
 * Conditions per column: those of `fields`, and those of the call, which on a shared column hold besides; null where the call's own
 * are no conditions.
 */
export function mergeConditions(own: unknown, fields: Conditions): Conditions | null {
  if (own !== null && own !== undefined && !isRecord(own)) return null;
  const conditions = new Map(Object.entries(own ?? {}));
  for (const [column, wanted] of Object.entries(fields)) {
    conditions.set(column, conditions.has(column) ? { and: [wanted, conditions.get(column)] } : wanted);
  }
  return Object.fromEntries(conditions);
}
