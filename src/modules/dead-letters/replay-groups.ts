import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import type { Db } from '../../store/store.ts';
import { type NewRun, type RunRow, storedArgs } from '../runs/run.ts';
import { currentRun, sameRun } from '../runs/run-rerun.ts';
import { selectRunsById } from '../runs/run-store.ts';
import type { OpenLetter } from './dead-letter-replay-store.ts';

/** Runs whose letters one call replays; their texts may be long. */
const SOURCE_RUNS_MAX = 200;
/** Runs that one call starts. */
const GROUPS_MAX = 20;

/** What a job would run now for one of its nodes, with these arguments; null where it has no such node any more. */
export type TaskNow = (
  db: Db,
  node: {
    readonly jobId: number;
    readonly taskKey: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly priority: number;
    readonly scheduledFor: number | null;
  },
) => Promise<NewRun | null>;

export interface ReplaySources {
  readonly db: Db;
  readonly taskNow: TaskNow;
}

/** Letters that one run can replay. */
export interface ReplayGroup {
  readonly stepId: string;
  readonly letters: readonly OpenLetter[];
  /** The run to start, but for what it replays. */
  readonly run: NewRun;
}

interface Sorted {
  readonly stepId: string;
  readonly letters: OpenLetter[];
  source: RunRow;
}

/**
 * The letters by what would process them: the step of one text of a task, and of those that it runs, with the same arguments, configuration and connectors, so
 * that a row meets what it would have met. Of its runs the newest is the one that is run again. What is beyond the bounds is left.
 */
export async function replayGroups(
  { db, taskNow }: ReplaySources,
  letters: readonly OpenLetter[],
  use: 'snapshot' | 'current',
): Promise<ReplayGroup[]> {
  const runIds = [...new Set(letters.map((letter) => letter.run_id))].slice(0, SOURCE_RUNS_MAX);
  const sources = new Map((await selectRunsById(db, runIds)).flatMap((run) => (run ? [[run.id, run]] : [])));
  const keys = new Map([...sources].map(([id, run]) => [id, keyOf(run, use)]));
  const sorted = new Map<string, Sorted>();
  for (const letter of letters) {
    const source = sources.get(letter.run_id);
    if (source === undefined) continue;
    const key = `${keys.get(letter.run_id)} ${letter.step_id}`;
    const group = sorted.get(key);
    if (group !== undefined) {
      group.letters.push(letter);
      if (source.id > group.source.id) group.source = source;
    } else if (sorted.size < GROUPS_MAX)
      sorted.set(key, { stepId: letter.step_id, letters: [letter], source });
  }
  const groups: ReplayGroup[] = [];
  for (const { stepId, letters: ofGroup, source } of sorted.values()) {
    const run = use === 'snapshot' ? await sameRun(db, source) : await runNow(db, source, taskNow);
    const { id: rerun_of, job_id, task_key } = source;
    groups.push({ stepId, letters: ofGroup, run: { ...run, job_run_id: null, job_id, task_key, rerun_of } });
  }
  return groups;
}

/** Equal where two runs would process a row alike. A job's configuration and connectors are now the same for all of its runs. */
function keyOf(run: RunRow, use: 'snapshot' | 'current'): string {
  const { task_id, job_id, task_key, task_version, yaml_content, tasks_json, config_json, connectors_json } =
    run;
  const then = [task_version, yaml_content, tasks_json, config_json, connectors_json];
  const own = job_id === null ? [config_json, connectors_json] : [];
  return sha256(JSON.stringify([task_id, job_id, task_key, valuesOf(run), use === 'snapshot' ? then : own]));
}

/** The condition of the node has held already, and a replay has one of its own. */
function valuesOf(run: RunRow): unknown {
  const { values, template } = storedArgs(run);
  return [values, template];
}

async function runNow(db: Db, source: RunRow, taskNow: TaskNow): Promise<NewRun> {
  const { job_id: jobId, task_key: taskKey } = source;
  if (jobId === null || taskKey === null) return currentRun(db, source);
  const { values: args } = storedArgs(source);
  const { priority, scheduled_for: scheduledFor } = source;
  const run = await taskNow(db, { jobId, taskKey, args, priority, scheduledFor });
  if (run !== null) return run;
  throw new AppError('CONFLICT', `The job "${jobId}" no longer has a task "${taskKey}": use "snapshot"`);
}
