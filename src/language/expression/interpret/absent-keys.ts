import { setOwn } from '../plain-result.ts';

/* In rows, a property that is undefined is absent. jsonata has only properties that are there. */

export function holdsAbsent(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(holdsAbsent);
  if (!isPlain(value)) return false;
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (inner === undefined || holdsAbsent(inner)) return true;
  }
  return false;
}

export function withoutAbsent(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (!isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value))
    if (inner !== undefined) setOwn(copy, key, withoutAbsent(inner));
  return copy;
}

/** Not a date, nor bytes, nor an exact number. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
