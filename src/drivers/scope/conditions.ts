import { isRecord } from '../../base/json.ts';
import type { Conditions } from '../driver.ts';
import { type ScopeFields, ScopeRefusal } from './scope-fields.ts';

/** Conditions per column: those of the scope, and those of the call, which on a shared column hold besides. */
export function scopeConditions(own: unknown, arg: string, fields: ScopeFields): Conditions {
  if (own !== null && !isRecord(own)) throw new ScopeRefusal(`its "${arg}" is not an object`);
  const conditions = new Map(Object.entries(own ?? {}));
  for (const [column, wanted] of Object.entries(fields)) {
    conditions.set(column, conditions.has(column) ? { and: [wanted, conditions.get(column)] } : wanted);
  }
  return Object.fromEntries(conditions);
}
