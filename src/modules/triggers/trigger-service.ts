import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, requireFound, validationError } from '../../base/errors.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { Actor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { recordChanges } from '../definitions/record-changes.ts';
import { DELETIONS_CHANNEL } from '../deletions/deletion-store.ts';
import type { JobRunRow } from '../job-runs/job-run.ts';
import type { JobRuns } from '../job-runs/job-run-service.ts';
import { defaultArgs, type JobRow, toRunnable } from '../jobs/job.ts';
import { lockJob, selectJob } from '../jobs/job-store.ts';
import { concurrencyKey, type EvaluateKey } from '../jobs/start/concurrency-key.ts';
import { skipWaitingTicks } from './tick/trigger-tick-store.ts';
import {
  defaultSettings,
  settingsOfRow,
  shownSettings,
  type TriggerRow,
  type TriggerSettings,
  type TriggerView,
} from './trigger.ts';
import { delayOf, nextScheduled, requireSchedule, type Schedule } from './trigger-schedule.ts';
import {
  deleteTrigger,
  insertTrigger,
  lockTrigger,
  recordFired,
  selectActiveJobRunId,
  selectTrigger,
  selectTriggerView,
  updateDelay,
  updateTrigger,
} from './trigger-store.ts';

/** The settings that make a new schedule. */
const SCHEDULE_KEYS = ['cron', 'timezone', 'start_at', 'end_at', 'enabled'] as const;

export interface TriggersDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobRuns: Pick<JobRuns, 'startInside' | 'announce'>;
  readonly evaluateKey: EvaluateKey;
}

/** A caller's settings of a trigger. */
export type TriggerInput = { readonly [K in keyof TriggerSettings]?: TriggerSettings[K] | undefined };

export type Triggers = ReturnType<typeof createTriggers>;

/** Triggers schedule jobs. The ticker fires them; this service changes them, and fires them manually. */
export function createTriggers(deps: TriggersDeps) {
  const { store, clock } = deps;
  const audit = createAudit(clock);

  /** Keys that are left out have their defaults. */
  async function create(
    jobId: number,
    input: TriggerInput & { readonly cron: string },
    actor: Actor,
  ): Promise<TriggerView> {
    const settings = settingsOf(input, defaultSettings(input.cron));
    const schedule = requireSchedule(settings.cron, settings.timezone, settings);
    return store.write(async (tx) => {
      const job = requireFound(await selectJob(tx, jobId), 'job', jobId);
      requireStartable(toRunnable(job).parsed);
      const at = settings.enabled ? nextScheduled(schedule, await selectNow(tx, store.dialect)) : null;
      const row = await insertTrigger(tx, jobId, settings, at, clock.now());
      if (at !== null && row.jitter_seconds > 0) await updateDelay(tx, row.id, delayOf(schedule, row, at));
      await audit(tx, actor, 'trigger.create', row.id, { job_id: jobId, ...shownSettings(settings) });
      return requireView(tx, row.id);
    });
  }

  /**
   * Omitted keys keep their value. If the schedule changes, the next time is the first from now on: earlier times are
   * not caught up on. Times waiting for the job are skipped if the schedule or policy changes.
   */
  async function update(
    id: number,
    input: TriggerInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<TriggerView> {
    const seen = requireFound(await selectTrigger(store.read, id), 'trigger', id);
    const settings = settingsOf(input, settingsOfRow(seen));
    const schedule = requireSchedule(settings.cron, settings.timezone, settings);
    return change(deps, settings, schedule, { expected, seen, actor });
  }

  async function setEnabled(id: number, enabled: boolean, actor: Actor): Promise<TriggerView> {
    return update(id, { enabled }, null, actor);
  }

  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await recordChanges(store, 'trigger', lockTrigger).change(id, expected, async (tx, row) => {
      await deleteTrigger(tx, id, clock.now());
      await audit(tx, actor, 'trigger.delete', id, { job_id: row.job_id, name: row.name, cron: row.cron });
    });
    store.notify(DELETIONS_CHANNEL);
  }

  return {
    create,
    update,
    setEnabled,
    remove,
    fire: (id: number, actor: Actor): Promise<JobRunRow> => fire(deps, id, actor),
  };
}

interface Change {
  readonly expected: ExpectedVersions;
  /** The trigger that the new settings were made from. */
  readonly seen: TriggerRow;
  readonly actor: Actor;
}

async function change(
  { store, clock }: TriggersDeps,
  settings: TriggerSettings,
  schedule: Schedule,
  { expected, seen, actor }: Change,
): Promise<TriggerView> {
  const { id } = seen;
  return recordChanges(store, 'trigger', lockTrigger).change(id, expected, async (tx, before) => {
    if (before.version !== seen.version)
      throw new AppError('CONFLICT', `The trigger "${id}" is being changed right now: try again`);
    const diff = diffOf(before, settings);
    const changed = new Set(Object.keys(diff));
    if (changed.size === 0) return requireView(tx, id);
    const now = await selectNow(tx, store.dialect);
    const rescheduled = SCHEDULE_KEYS.some((key) => changed.has(key));
    const next = rescheduled ? nextScheduled(schedule, now) : before.next_run_at;
    const at = settings.enabled ? next : null;
    // Jitter moves the start of a time, not the time itself: a due time that waits for its start still does.
    const delay_ms = at === null ? 0 : delayOf(schedule, { ...settings, id }, at);
    const dropped = rescheduled || changed.has('overlap') ? await skipWaitingTicks(tx, id) : 0;
    const enabledAt = settings.enabled && before.enabled === 0 ? now : null;
    const after = { settings, next_run_at: at, delay_ms, dropped, enabledAt };
    await updateTrigger(tx, before, after, clock.now());
    await createAudit(clock)(tx, actor, 'trigger.update', id, diff);
    return requireView(tx, id);
  });
}

async function requireView(tx: Tx, id: number): Promise<TriggerView> {
  return requireFound(await selectTriggerView(tx, id), 'trigger', id);
}

/** Starts the job now, even if the trigger is disabled. `CONFLICT` if its overlap forbids a second run of the job. */
async function fire(deps: TriggersDeps, id: number, actor: Actor): Promise<JobRunRow> {
  const { store, jobRuns, evaluateKey } = deps;
  const seen = await selectTrigger(store.read, id);
  const job = seen === null ? null : await selectJob(store.read, seen.job_id);
  if (seen === null || job === null) throw notFound('trigger', id);
  const runnable = toRunnable(job);
  const args = defaultArgs(runnable.parsed);
  const parsed = { yaml_content: job.yaml_content, parsed: runnable.parsed };
  const key = await concurrencyKey(evaluateKey, parsed, args, runnable.config);
  const started = await store.write((tx) => fireInside(deps, tx, { id, job, runnable, args, key }, actor));
  jobRuns.announce(started.cancels);
  return started.row;
}

interface Firing {
  readonly id: number;
  /** The job that the arguments and the key were made from. */
  readonly job: JobRow;
  readonly runnable: ReturnType<typeof toRunnable>;
  readonly args: Record<string, unknown>;
  readonly key: string | null;
}

async function fireInside(
  { store, clock, jobRuns }: TriggersDeps,
  tx: Tx,
  { id, job, runnable, args, key }: Firing,
  actor: Actor,
) {
  const row = await lockTrigger(tx, store.dialect, id);
  const locked = await lockJob(tx, store.dialect, job.id);
  if (row === null || locked === null) throw notFound('trigger', id);
  if (locked.version !== job.version || locked.config_version !== job.config_version)
    throw new AppError('CONFLICT', `The job "${job.name}" is being changed right now: try again`);
  if (locked.status !== 'active')
    throw new AppError('CONFLICT', `The job "${job.name}" is archived: activate it first`);
  const active = row.overlap === 'allow' ? null : await selectActiveJobRunId(tx, job.id);
  if (active !== null)
    throw new AppError(
      'CONFLICT',
      `The job "${job.name}" is running (job run "${active}") and the trigger's overlap is "${row.overlap}"`,
    );
  requireStartable(runnable.parsed);
  const origin = { trigger_id: id, scheduled_for: null, rerun_of: null };
  const request = { reason: 'manual' as const, args, key, ...origin };
  const start = await jobRuns.startInside(tx, { job: runnable, request }, actor);
  await recordFired(tx, id, { job_run_id: start.row.id, at: await selectNow(tx, store.dialect) });
  await createAudit(clock)(tx, actor, 'trigger.fire', id, { job_run_id: start.row.id });
  return start;
}

function settingsOf(input: TriggerInput, base: TriggerSettings): TriggerSettings {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return { ...base, ...(Object.fromEntries(given) as Partial<TriggerSettings>) };
}

/** The differences as `[old, new]` by key. */
function diffOf(before: TriggerRow, settings: TriggerSettings): Record<string, unknown> {
  const [old, shown] = [shownSettings(settingsOfRow(before)), shownSettings(settings)];
  const keys = (Object.keys(shown) as (keyof TriggerSettings)[]).filter((key) => old[key] !== shown[key]);
  return Object.fromEntries(keys.map((key) => [key, [old[key], shown[key]]]));
}

/** A trigger passes no arguments: the template's required ones need defaults. */
function requireStartable(parsed: TemplateInfo): void {
  const defaults = defaultArgs(parsed);
  const missing = Object.entries(parsed.args).filter(
    ([name, spec]) => spec.required && !Object.hasOwn(defaults, name),
  );
  const problems = missing.map(([name]) => ({
    path: `args.${name}`,
    message: `The template requires the argument "${name}", which a trigger cannot pass: set a default in the template`,
  }));
  if (problems.length > 0) throw validationError(problems);
}
