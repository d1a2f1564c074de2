import { isRecord } from '../../base/json.ts';

/** What a profile of a dashboard's `scope` holds for one connector, its expressions evaluated. */
export type ScopeFields = Readonly<Record<string, unknown>>;

/** Why a scope cannot be applied to a call: the beginning of the message. */
export class ScopeRefusal extends Error {}

/** False where a value, or a part of it, is nothing, which whoever reads it may leave out. */
export function isComplete(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isComplete);
  return isRecord(value) ? Object.values(value).every(isComplete) : value !== undefined;
}
