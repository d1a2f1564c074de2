import { isRecord } from '../../../base/json.ts';

/** The source of every expression and template in a part of a task, such as a step. */
export function sourcesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(sourcesIn);
  if (!isRecord(value)) return [];
  return 'source' in value && 'names' in value ? [value['source']] : Object.values(value).flatMap(sourcesIn);
}
