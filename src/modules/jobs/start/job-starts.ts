import { AppError, notFound, type Problem, requireFound, validationError } from '../../../base/errors.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { Store, Tx } from '../../../store/store.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';
import type { Actor } from '../../audit/audit.ts';
import { type JobRunRow, type ReusedNode, reusedOf, storedPlan } from '../../job-runs/job-run.ts';
import { type RerunFrom, reusedNodes } from '../../job-runs/job-run-rerun.ts';
import type { JobRuns } from '../../job-runs/job-run-service.ts';
import { slotKey } from '../../job-runs/job-run-slots.ts';
import type { JobStart } from '../../job-runs/job-run-start.ts';
import { selectJobRun } from '../../job-runs/job-run-store.ts';
import { selectPins } from '../../job-runs/node-pins.ts';
import { selectNodeStates } from '../../runs/run-store.ts';
import type { ValidateJobConfig } from '../config/job-config-service.ts';
import { overriddenConfig } from '../config/override-config.ts';
import { type JobRow, toRunnable } from '../job.ts';
import { lockJob, selectJob } from '../job-store.ts';
import { concurrencyKey, type EvaluateKey, needsKey } from './concurrency-key.ts';
import { runArgs } from './run-args.ts';

const TRIES_MAX = 3;

export interface JobStartsDeps {
  readonly store: Store;
  readonly jobRuns: JobRuns;
  readonly evaluateKey: EvaluateKey;
  readonly validateJobConfig: ValidateJobConfig;
}

export interface StartInput {
  readonly args: Readonly<Record<string, unknown>>;
  readonly priority: number;
  /** Keys of the nodes to run; default all. */
  readonly tasks?: readonly string[] | undefined;
  /** Overrides the job's configuration for this job run; maps are merged. */
  readonly config_override?: Readonly<Record<string, unknown>> | undefined;
}

/** Resolves to the configuration of a start, before its transaction. Default: that of the build. */
type ConfigOf = (job: JobRow) => Promise<Readonly<Record<string, unknown>>>;

export interface RerunInput {
  readonly from: RerunFrom;
  /** `snapshot`: the tasks and configuration of the old job run. `current`: those of the job now. */
  readonly use: 'snapshot' | 'current';
}

export type JobStarts = ReturnType<typeof createJobStarts>;

/** Builds a start from the job, as the transaction, or the read before it, sees it. */
type Build = (db: Tx | Store['read'], job: JobRow) => Promise<JobStart>;

/** Manual starts: a job, or one of its job runs again. */
export function createJobStarts(deps: JobStartsDeps) {
  const { store, validateJobConfig } = deps;

  async function start(jobId: number, input: StartInput, actor: Actor): Promise<JobRunRow> {
    const build: Build = async (_db, job) => {
      const whole = toRunnable(job);
      const { tasks } = input;
      const runnable = tasks === undefined ? whole : { ...whole, parsed: onlyTasks(whole.parsed, tasks) };
      const args = runArgs(runnable.parsed, input.args);
      const origin = { trigger_id: null, scheduled_for: null, rerun_of: null };
      return { job: runnable, request: { reason: 'manual', args, priority: input.priority, ...origin } };
    };
    const { config_override } = input;
    if (config_override === undefined) return startOf(deps, jobId, build, actor);
    return startOf(deps, jobId, build, actor, (job) =>
      overriddenConfig(validateJobConfig, job, config_override),
    );
  }

  /** A new job run; the repeated one stays unchanged. `CONFLICT` while that one is running. */
  async function rerun(id: number, input: RerunInput, actor: Actor): Promise<JobRunRow> {
    const old = requireFound(await selectJobRun(store.read, id), 'job run', id);
    if (old.ended_at === null)
      throw new AppError(
        'CONFLICT',
        `The job run "${id}" is ${old.status}: wait for it to end, or cancel it`,
      );
    return startOf(deps, old.job_id, rerunOf(old, input), actor);
  }

  return { start, rerun };
}

/** Evaluates what the start needs, then starts the job at exactly that version: if it changes in between, this starts again. */
async function startOf(
  { store, jobRuns, evaluateKey }: JobStartsDeps,
  jobId: number,
  build: Build,
  actor: Actor,
  configOf?: ConfigOf,
): Promise<JobRunRow> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const seen = requireActive(await selectJob(store.read, jobId), jobId);
    const config = await configOf?.(seen);
    const key = await keyOf(evaluateKey, seen, withConfig(await build(store.read, seen), config));
    const started = await store.write(async (tx) => {
      const job = requireActive(await lockJob(tx, store.dialect, jobId), jobId);
      const start = withConfig(await build(tx, job), config);
      const same = job.version === seen.version && job.config_version === seen.config_version;
      if ((needsKey(planOf(start)) || config !== undefined) && !same) return null;
      return jobRuns.startInside(tx, { ...start, request: { ...start.request, key } }, actor);
    });
    if (started === null) continue;
    jobRuns.announce(started.cancels);
    return started.row;
  }
  throw new AppError('CONFLICT', 'The job is being changed right now: try again');
}

async function keyOf(evaluateKey: EvaluateKey, job: JobRow, start: JobStart): Promise<string | null> {
  if (start.request.key !== undefined) return start.request.key;
  const { yaml_content } = job;
  return concurrencyKey(
    evaluateKey,
    { yaml_content, parsed: planOf(start) },
    start.request.args,
    start.job.config,
  );
}

function rerunOf(old: JobRunRow, input: RerunInput): Build {
  const args = parseJsonText(old.args_json) as Record<string, unknown>;
  const request = {
    reason: 'manual' as const,
    trigger_id: old.trigger_id,
    scheduled_for: old.scheduled_for,
    interval_start: old.interval_start,
    priority: old.priority,
    rerun_of: old.id,
  };
  return async (db, job) => {
    const outcomes = await outcomesOf(db, old);
    const previous = Object.fromEntries([...outcomes].map(([key, { run_id }]) => [key, run_id]));
    const now = toRunnable(job);
    if (input.use === 'snapshot') {
      const plan = { ...storedPlan(old), previous };
      const config = parseJsonText(old.config_json) as Record<string, unknown>;
      return {
        job: { ...now, config, mapping: plan.mapping },
        request: { ...request, args, key: earlierKey(old) },
        plan,
        reused: reusedNodes(plan, outcomes, input.from),
      };
    }
    const pins = (await selectPins(db, [now])).get(now.id) ?? {};
    return {
      job: now,
      request: { ...request, args: runArgs(now.parsed, args) },
      plan: { ...now.parsed, pins, mapping: now.mapping, previous },
      reused: reusedNodes(now.parsed, outcomes, input.from),
    };
  };
}

function requireActive(job: JobRow | null, id: number): JobRow {
  if (job === null) throw notFound('job', id);
  if (job.status === 'active') return job;
  throw new AppError('CONFLICT', `The job "${job.name}" is archived: activate it first`);
}

function withConfig(start: JobStart, config: Readonly<Record<string, unknown>> | undefined): JobStart {
  return config === undefined ? start : { ...start, job: { ...start.job, config } };
}

function planOf(start: JobStart) {
  return start.plan ?? start.job.parsed;
}

/** The outcome of every node of a finished job run, its own or a reused one. */
async function outcomesOf(db: Tx | Store['read'], row: JobRunRow): Promise<Map<string, ReusedNode>> {
  const outcomes = new Map(Object.entries(reusedOf(row)));
  for (const { id, task_key, status, reason } of await selectNodeStates(db, row.id))
    if (task_key !== null) outcomes.set(task_key, { run_id: id, status, reason });
  return outcomes;
}

/** The same arguments and configuration have the same key. */
function earlierKey(row: JobRunRow): string | null {
  const prefix = `${slotKey(row.job_id, null)}:`;
  return row.concurrency_key?.startsWith(prefix) ? row.concurrency_key.slice(prefix.length) : null;
}

/**
 * The template with only these nodes: their dependencies on others count as met. Pure. `VALIDATION_ERROR` names every unknown
 * key.
 */
function onlyTasks(parsed: TemplateInfo, keys: readonly string[]): TemplateInfo {
  const wanted = new Set(keys);
  const known = parsed.tasks.map(({ key }) => key);
  const problems = keys.flatMap((key, index): Problem[] => {
    if (known.includes(key)) return [];
    const choices = known.map((name) => `"${name}"`).join(', ');
    return [{ path: `tasks[${index}]`, message: `There is no task "${key}" in the job; it has ${choices}` }];
  });
  if (problems.length > 0) throw validationError(problems);
  return {
    ...parsed,
    tasks: parsed.tasks
      .filter(({ key }) => wanted.has(key))
      .map((node) => ({ ...node, needs: node.needs.filter((need) => wanted.has(need)) })),
    levels: parsed.levels
      .map((level) => level.filter((key) => wanted.has(key)))
      .filter((level) => level.length > 0),
  };
}
