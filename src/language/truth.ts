import { ExactNumber } from '../base/values/exact-number.ts';

/** JSONata's own idea of true (`$boolean`), for conditions and filters; nothing at all is false. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  if (typeof value === 'string') return value.length > 0;
  if (Array.isArray(value)) return value.some(isTrue);
  if (value instanceof ExactNumber) return !value.isZero;
  return typeof value === 'object' && Object.keys(value).length > 0;
}
