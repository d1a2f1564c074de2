import { timestamp } from '../../../base/clock.ts';
import type { Db } from '../../../store/store.ts';
import { selectLostExecutors } from '../../executors/executor-store.ts';
import { LATE_AFTER, selectLateTriggers } from '../../server/overview-store.ts';
import type { ScopedJob, Subscription } from '../../webhooks/webhook.ts';
import type { WebhookEvent } from '../../webhooks/webhook-event.ts';
import { selectEventJob } from '../../webhooks/webhook-store.ts';
import { selectOpenLetters } from './open-alert-store.ts';

/** Triggers that one look takes; the longest overdue first. */
const LATE_MAX = 500;

/** Kinds of event that tell of a state: sent once, until it ends. */
export const STATE_KINDS = ['job.late', 'dead_letters.exceeded', 'executor.lost'] as const;
export type StateKind = (typeof STATE_KINDS)[number];

/** A state at this moment, of which receivers may be told. */
export interface AlertState {
  readonly kind: StateKind;
  /** The trigger, job or executor. */
  readonly subjectId: number;
  readonly job: ScopedJob | null;
  /** What a receiver is told of it; null where it is not bad enough for that one. */
  readonly eventFor: (receiver: Subscription) => WebhookEvent | null;
}

/** Reads those states of `kinds`. `now` is the store's time; an executor is lost after `awayMs` of silence. */
export async function readAlertStates(
  db: Db,
  kinds: ReadonlySet<StateKind>,
  { now, awayMs }: { readonly now: number; readonly awayMs: number },
): Promise<AlertState[]> {
  const states: AlertState[] = [];
  if (kinds.has('job.late')) states.push(...(await lateJobs(db, now)));
  if (kinds.has('dead_letters.exceeded')) states.push(...(await openLetters(db)));
  if (kinds.has('executor.lost')) states.push(...(await lostExecutors(db, now - awayMs)));
  return states;
}

async function lateJobs(db: Db, now: number): Promise<AlertState[]> {
  const states: AlertState[] = [];
  for (const late of await selectLateTriggers(db, { now, ...LATE_AFTER }, LATE_MAX)) {
    const { id, name, job_id, job_name, due_at, job_run_id, reason } = late;
    // That it was paused, `trigger.paused` has told.
    if (reason === 'paused') continue;
    const { job_template_id } = await selectEventJob(db, job_id);
    const told = { trigger_id: id, trigger_name: name, job_id, job_name, job_run_id, reason };
    const event = { type: 'job.late', data: { ...told, due_at: timestamp(due_at) } } as const;
    const job = { id: job_id, job_template_id };
    states.push({ kind: 'job.late', subjectId: id, job, eventFor: () => event });
  }
  return states;
}

async function openLetters(db: Db): Promise<AlertState[]> {
  const jobs = await selectOpenLetters(db);
  return jobs.map(({ job_id, job_name, job_template_id, open }) => ({
    kind: 'dead_letters.exceeded',
    subjectId: job_id,
    job: { id: job_id, job_template_id },
    eventFor(receiver) {
      const over = Number(receiver.dead_letters_over);
      if (open <= over) return null;
      return { type: 'dead_letters.exceeded', data: { job_id, job_name, open, over } };
    },
  }));
}

async function lostExecutors(db: Db, before: number): Promise<AlertState[]> {
  const lost = await selectLostExecutors(db, before);
  return lost.map(({ id, name, last_seen_at }) => {
    const data = { executor_id: id, executor_name: name, last_seen_at: timestamp(last_seen_at) };
    const event = { type: 'executor.lost', data } as const;
    return { kind: 'executor.lost', subjectId: id, job: null, eventFor: () => event };
  });
}
