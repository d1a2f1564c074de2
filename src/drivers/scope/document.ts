import { isRecord } from '../../base/json.ts';
import { type ScopeFields, ScopeRefusal } from './scope-fields.ts';

/** A document database's filter: the scope, and the call's own filter (null: none), which can only select among its documents. */
export function scopeDocument(
  own: unknown,
  name: string,
  fields: ScopeFields,
): Readonly<Record<string, unknown>> {
  if (own === null) return { ...fields };
  if (!isRecord(own)) throw new ScopeRefusal(`its "${name}" is not an object`);
  return { $and: [{ ...fields }, own] };
}
