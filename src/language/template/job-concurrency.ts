import type { Expression } from '../expression/expression.ts';
import { CONCURRENCY_MAX } from '../task/task-concurrency.ts';
import { readExpressionKey } from '../yaml/expression-reader.ts';
import type { MapReader } from '../yaml/map-reader.ts';
import { JOB_KEY_NAMES } from '../yaml/scope-names.ts';

export const CONFLICT_RULES = ['queue', 'skip', 'cancel_running', 'fail'] as const;
export type ConflictRule = (typeof CONFLICT_RULES)[number];

/** How many job runs of one job, or of one key within it, may go on at once, and what becomes of one too many. */
export interface JobConcurrency {
  readonly limit: number;
  /** Evaluated over `args` and `job_config` before a start: runs with equal answers count together. Null: all of the job do. */
  readonly key: Expression | null;
  readonly onConflict: ConflictRule;
}

/** Reads a template's `concurrency {limit (1 to 1,000), key_expr, on_conflict (default queue)}`; null where there is none. */
export function readJobConcurrency(reader: MapReader): JobConcurrency | null {
  const map = reader.submap('concurrency', { keys: ['limit', 'key_expr', 'on_conflict'] });
  if (map === null) return null;
  return {
    limit: map.integer('limit', { required: true, min: 1, max: CONCURRENCY_MAX }) ?? 1,
    key: readExpressionKey(map, 'key_expr', JOB_KEY_NAMES),
    onConflict: map.oneOf('on_conflict', CONFLICT_RULES) ?? 'queue',
  };
}
