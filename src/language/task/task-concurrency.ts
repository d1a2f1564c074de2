import { isRecord } from '../../base/json.ts';
import type { MapReader } from '../yaml/map-reader.ts';

/** Runs of a task, or of a job, that may go on at once. */
export const CONCURRENCY_MAX = 1_000;

/** Reads a task's `concurrency: N` or `concurrency: {limit: N}`, 1 to 1,000; null where there is none. */
export function readTaskConcurrency(reader: MapReader): number | null {
  const rules = { min: 1, max: CONCURRENCY_MAX };
  if (!isRecord(reader.value('concurrency'))) return reader.integer('concurrency', rules);
  const map = reader.submap('concurrency', { keys: ['limit'] });
  return map?.integer('limit', { ...rules, required: true }) ?? null;
}
