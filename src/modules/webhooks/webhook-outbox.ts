import { timestamp, timestampOrNull } from '../../base/clock.ts';
import type { Tx } from '../../store/store.ts';
import type { EndedJobRun, OnJobRunEnded } from '../job-runs/job-run-advance.ts';
import type { EmitTriggerEvent, TriggerPausedEvent } from '../triggers/trigger-health.ts';
import { insertDeliveries } from './delivery/webhook-delivery-store.ts';
import { addFailure, closeEpisode } from './failure-episode-store.ts';
import { wants } from './webhook.ts';
import { bodyOf, type WebhookEvent, type WebhookEventKind } from './webhook-event.ts';
import { type Known, selectJobName, selectKnown } from './webhook-store.ts';

/** Writes an event for every subscribed webhook, in the transaction of the change. `now` in milliseconds, by the store's clock. */
export type EmitEvent = (tx: Tx, event: WebhookEvent, now: number) => Promise<void>;

export interface WebhookOutboxDeps {
  /** 128 random bits or more, as text. */
  readonly newEventId: () => string;
}

/**
 * The entry to the outbox. If no enabled webhook wants an event, nothing is written: a transaction that ends job runs then
 * costs one small select, however many end.
 */
export function createWebhookOutbox({ newEventId }: WebhookOutboxDeps): {
  readonly emit: EmitEvent;
  readonly onJobRunEnded: OnJobRunEnded;
  readonly onTriggerPaused: EmitTriggerEvent;
} {
  const knownIn = new WeakMap<Tx, Promise<Known>>();

  function knownOf(tx: Tx): Promise<Known> {
    const known = knownIn.get(tx) ?? selectKnown(tx);
    knownIn.set(tx, known);
    return known;
  }

  async function emit(tx: Tx, event: WebhookEvent, now: number): Promise<void> {
    const { subscriptions } = await knownOf(tx);
    const jobId = 'job_id' in event.data ? event.data.job_id : null;
    const wanting = subscriptions.filter((one) => wants(one, event.type, jobId));
    if (wanting.length === 0) return;
    const message = { event_id: newEventId(), event: event.type, body: bodyOf(event, now) };
    await insertDeliveries(
      tx,
      wanting.map(({ id }) => ({ webhook_id: id, ...message })),
      now,
    );
  }

  /** A cancelled job run says nothing about whether the job works: it neither opens nor ends an episode. */
  async function onJobRunEnded(tx: Tx, ended: EndedJobRun, now: number): Promise<void> {
    const failed = ended.status === 'error';
    if (!failed && ended.status !== 'success' && ended.status !== 'warning') return;
    const known = await knownOf(tx);
    const wanted = (...kinds: WebhookEventKind[]) =>
      known.subscriptions.some((one) => kinds.some((kind) => wants(one, kind, ended.job_id)));
    if (failed && !wanted('job_run.failed', 'run.failing', 'run.recovered')) return;
    if (!failed && !known.anyFailing && !wanted('job_run.succeeded')) return;
    const key = { job_id: ended.job_id, job_run_id: ended.id };
    if (failed) {
      // Without a subscription to either alert, nobody needs an episode.
      const episode = wanted('run.failing', 'run.recovered') ? await addFailure(tx, key, now) : null;
      known.anyFailing ||= episode !== null;
      const data = await dataOf(tx, ended, now);
      await emit(tx, { type: 'job_run.failed', data }, now);
      if (episode?.failures !== 1) return;
      await emit(tx, { type: 'run.failing', data: { ...data, since: timestamp(episode.opened_at) } }, now);
      return;
    }
    // Even without subscribers: an episode left open would suppress the alert of the next one.
    const episode = known.anyFailing ? await closeEpisode(tx, ended.job_id) : null;
    if (!wanted('job_run.succeeded', 'run.recovered')) return;
    const data = await dataOf(tx, ended, now);
    await emit(tx, { type: 'job_run.succeeded', data }, now);
    if (episode === null) return;
    const { opened_at, job_run_id, failures } = episode;
    const since = { since: timestamp(opened_at), first_failed_job_run_id: job_run_id };
    await emit(tx, { type: 'run.recovered', data: { ...data, ...since, failed_job_runs: failures } }, now);
  }

  async function onTriggerPaused(tx: Tx, event: TriggerPausedEvent): Promise<void> {
    const { type, paused_at, ...told } = event;
    const job_name = (await selectJobName(tx, told.job_id)) ?? '';
    await emit(tx, { type, data: { ...told, job_name } }, paused_at);
  }

  return { emit, onJobRunEnded, onTriggerPaused };
}

async function dataOf(tx: Tx, ended: EndedJobRun, now: number) {
  return {
    job_run_id: ended.id,
    job_id: ended.job_id,
    job_name: (await selectJobName(tx, ended.job_id)) ?? '',
    trigger_id: ended.trigger_id,
    status: ended.status as 'success' | 'warning' | 'error',
    reason: ended.reason,
    scheduled_for: timestampOrNull(ended.scheduled_for),
    ended_at: timestamp(now),
  };
}
