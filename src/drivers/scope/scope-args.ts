import { isRecord } from '../../base/json.ts';
import { type Conditions, ConnectorError, type Driver } from '../driver.ts';
import { mergeConditions } from './conditions.ts';
import { scopeDocument } from './document.ts';
import type { MethodScope } from './method-scope.ts';
import { scopePipeline } from './pipeline.ts';
import { isComplete, type ScopeFields, ScopeRefusal } from './scope-fields.ts';

/**
 * The arguments of a read-only call with a scope's fields merged in, so that the call's own arguments can neither remove nor widen
 * them: a call gives what it would give if nothing outside the scope were there. How is declared by the method; see `MethodScope`.
 * Throws a `CONFIG` error where a scope cannot be applied, rather than showing more than it allows.
 */
export function scopeArgs(driver: Driver, method: string, args: unknown, fields: ScopeFields): unknown {
  // A method that does not read is refused by the call itself.
  const reading = driver.methods.find(({ name, kind }) => name === method && kind !== 'write');
  if (reading === undefined || Object.keys(fields).length === 0) return args;
  const { scope } = reading;
  if (scope === undefined) {
    throw new ConnectorError(
      'CONFIG',
      `A scope cannot be applied to "${method}" of a "${driver.type}" connector; set "scope: null" on the widget`,
    );
  }
  if (scope.kind === 'unscoped') return args;
  try {
    return scoped(scope, args, fields);
  } catch (error) {
    if (error instanceof ScopeRefusal) {
      throw new ConnectorError('CONFIG', `A scope cannot be applied to "${method}": ${error.message}`);
    }
    throw error;
  }
}

function scoped(
  scope: Exclude<MethodScope, { readonly kind: 'unscoped' }>,
  args: unknown,
  fields: ScopeFields,
): Readonly<Record<string, unknown>> {
  for (const [name, value] of Object.entries(fields)) {
    // A schema drops the one name, and a value that is nothing would be no condition.
    if (name === '__proto__' || !isComplete(value))
      throw new ScopeRefusal(`its field "${name}" has no value`);
  }
  const given = args ?? {};
  if (!isRecord(given)) throw new ScopeRefusal('the arguments are not an object');
  if (scope.kind === 'args') return { ...given, ...fields };
  if (scope.kind === 'conditions') refuseBeyond(scope.without ?? [], given);
  const { arg } = scope;
  const own = Object.hasOwn(given, arg) ? (given[arg] ?? null) : null;
  return { ...given, [arg]: scopedArgument(scope.kind, own, arg, fields) };
}

function refuseBeyond(names: readonly string[], given: Readonly<Record<string, unknown>>): void {
  const found = names.find((name) => given[name] !== undefined && !isEmptyRecord(given[name]));
  if (found !== undefined) throw new ScopeRefusal(`it does not reach into "${found}"`);
}

function isEmptyRecord(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function scopedArgument(
  kind: 'conditions' | 'document' | 'pipeline',
  own: unknown,
  arg: string,
  fields: ScopeFields,
): unknown {
  switch (kind) {
    case 'conditions':
      return scopeConditions(own, arg, fields);
    case 'document':
      return scopeDocument(own, arg, fields);
    case 'pipeline':
      return scopePipeline(own, arg, fields);
    default:
      return kind satisfies never;
  }
}

function scopeConditions(own: unknown, arg: string, fields: ScopeFields): Conditions {
  const merged = mergeConditions(own, fields);
  if (merged === null) throw new ScopeRefusal(`its "${arg}" is not an object`);
  return merged;
}
