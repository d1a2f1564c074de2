import type { components } from '../../../../client/openapi-types.ts';

type JobRunDetail = components['schemas']['JobRunDetail'];
export type Run = components['schemas']['Run'];

/** One node of a job run's graph, as it is now. */
export interface TaskState {
  readonly key: string;
  readonly taskName: string;
  /** Keys of the nodes before it. */
  readonly needs: readonly string[];
  /** The list for whose items its task runs; null where it runs once. */
  readonly forEach: string | null;
  /** Of its run, or of the earlier one that counts in a rerun; `pending` before there is any. */
  readonly status: string;
  /** Its newest run; null before it was decided, or where an earlier outcome counts. */
  readonly run: Run | null;
  /** The run of an earlier job run whose outcome counts. */
  readonly reusedRunId: number | null;
}

/** The nodes level by level, each with the state of its newest run. */
export function taskStates({
  dag,
  levels,
  runs,
  reused,
}: Pick<JobRunDetail, 'dag' | 'levels' | 'runs' | 'reused'>): TaskState[] {
  const newest = new Map(runs.map((run) => [run.task_key, run]));
  return levels.flat().map((key) => {
    const { task, needs, foreach_expr } = (dag.tasks[key] ?? {}) as Readonly<Record<string, unknown>>;
    const run = newest.get(key) ?? null;
    const earlier = run === null ? reused[key] : undefined;
    return {
      key,
      taskName: run?.task_name ?? (typeof task === 'string' ? task : key),
      needs: Array.isArray(needs) ? needs.filter((need) => typeof need === 'string') : [],
      forEach: typeof foreach_expr === 'string' ? foreach_expr : null,
      status: run?.status ?? earlier?.status ?? 'pending',
      run,
      reusedRunId: earlier?.run_id ?? null,
    };
  });
}
