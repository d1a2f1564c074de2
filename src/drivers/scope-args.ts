import { isRecord } from '../base/json.ts';
import { ConnectorError, type Driver } from './driver.ts';

/** Raw statements are as their author wrote them; a scope does not reach into their text. */
const UNSCOPED_METHODS = new Set(['query']);

/** Where the methods of the SQL connectors take their conditions. */
const CONDITION_KEYS: Readonly<Record<string, string>> = { list: 'filter', count: 'filter', get: 'key' };

/**
 * The arguments of a read-only call with a scope's fields merged in, so that the call's own arguments cannot widen them:
 * conditions on other columns and operators stay, and are joined by AND. Throws a `CONFIG` error where a scope cannot be
 * applied, rather than showing more than it allows.
 */
export function scopeArgs(
  driver: Driver,
  method: string,
  args: unknown,
  fields: Readonly<Record<string, unknown>>,
): unknown {
  // A method that does not read is refused by the call itself.
  const reads = driver.methods.some(({ name, kind }) => name === method && kind !== 'write');
  if (Object.keys(fields).length === 0 || !reads || UNSCOPED_METHODS.has(method)) return args;
  const isSql = driver.methods.some(({ name }) => name === 'query');
  const key = isSql && Object.hasOwn(CONDITION_KEYS, method) ? CONDITION_KEYS[method] : undefined;
  if (key === undefined) {
    throw new ConnectorError(
      'CONFIG',
      `A scope cannot be applied to "${method}" of a "${driver.type}" connector; give the widget "scope: null"`,
    );
  }
  const given = isRecord(args) ? args : {};
  const conditions: Record<string, unknown> = isRecord(given[key]) ? { ...given[key] } : {};
  for (const [column, wanted] of Object.entries(fields)) {
    const own = Object.hasOwn(conditions, column) ? operatorsOf(conditions[column]) : {};
    conditions[column] = { ...own, ...operatorsOf(wanted) };
  }
  return { ...given, [key]: conditions };
}

function operatorsOf(wanted: unknown): Readonly<Record<string, unknown>> {
  return isRecord(wanted) ? wanted : { eq: wanted };
}
