import { isRecord } from '../../base/json.ts';
import type { ArgumentSpec } from './task.ts';

export const ARGUMENT_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;

/** True where a JSON value is of an argument's type. */
export function isArgumentOf(type: ArgumentSpec['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  return typeof value === type;
}
