import { timestamp } from '../../../base/clock.ts';
import type { Db } from '../../../store/store.ts';
import type { Labels } from '../../definitions/label.ts';
import { selectLostExecutors } from '../../executors/executor-store.ts';
import { LATE_AFTER, selectLateTriggers } from '../../server/overview-store.ts';
import type { ScopedJob, Subscription } from '../../webhooks/webhook.ts';
import type { WebhookEvent } from '../../webhooks/webhook-event.ts';
import { countOpenLetters, selectOpenLetters } from './open-alert-store.ts';

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
  /** False where it is not bad enough for that receiver. */
  readonly concerns: (receiver: Subscription) => boolean;
  /** What that receiver is told of it. */
  readonly eventFor: (db: Db, receiver: Subscription) => Promise<WebhookEvent>;
}

/** Reads the states that `receivers` may be told of, whichever jobs they want. `now` is the store's time; an executor is lost after `awayMs` of silence. */
export async function readAlertStates(
  db: Db,
  receivers: Readonly<Partial<Record<StateKind, readonly Subscription[]>>>,
  { now, awayMs }: { readonly now: number; readonly awayMs: number },
): Promise<AlertState[]> {
  const states: AlertState[] = [];
  if (receivers['job.late']) states.push(...(await lateJobs(db, now)));
  const ofLetters = receivers['dead_letters.exceeded'];
  if (ofLetters) states.push(...(await openLetters(db, ofLetters)));
  if (receivers['executor.lost']) states.push(...(await lostExecutors(db, now - awayMs)));
  return states;
}

async function lateJobs(db: Db, now: number): Promise<AlertState[]> {
  const states: AlertState[] = [];
  for (const late of await selectLateTriggers(db, [], { now, ...LATE_AFTER }, LATE_MAX)) {
    const { id, name, job_id, job_name, job_template_id, labels_json, due_at, job_run_id, reason } = late;
    // That it was paused, `trigger.paused` has told.
    if (reason === 'paused') continue;
    const told = { trigger_id: id, trigger_name: name, job_id, job_name, job_run_id, reason };
    const event = { type: 'job.late', data: { ...told, due_at: timestamp(due_at) } } as const;
    const job = { id: job_id, job_template_id, labels: JSON.parse(labels_json) as Labels };
    states.push({ kind: 'job.late', subjectId: id, job, concerns: () => true, eventFor: async () => event });
  }
  return states;
}

async function openLetters(db: Db, receivers: readonly Subscription[]): Promise<AlertState[]> {
  const bounds = receivers.map(boundOf);
  const jobs = await selectOpenLetters(db, { lowest: Math.min(...bounds), highest: Math.max(...bounds) });
  return jobs.map(({ job_id, job_name, job_template_id, labels_json, open }) => ({
    kind: 'dead_letters.exceeded',
    subjectId: job_id,
    job: { id: job_id, job_template_id, labels: JSON.parse(labels_json) as Labels },
    concerns: (receiver) => open > boundOf(receiver),
    eventFor: async (now, receiver) => {
      const told = { open: await countOpenLetters(now, job_id), over: boundOf(receiver) };
      return { type: 'dead_letters.exceeded', data: { job_id, job_name, ...told } };
    },
  }));
}

function boundOf(receiver: Subscription): number {
  return Number(receiver.dead_letters_over);
}

async function lostExecutors(db: Db, before: number): Promise<AlertState[]> {
  const lost = await selectLostExecutors(db, before);
  return lost.map(({ id, name, last_seen_at }) => {
    const data = { executor_id: id, executor_name: name, last_seen_at: timestamp(last_seen_at) };
    const event = { type: 'executor.lost', data } as const;
    return {
      kind: 'executor.lost',
      subjectId: id,
      job: null,
      concerns: () => true,
      eventFor: async () => event,
    };
  });
}
