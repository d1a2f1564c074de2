import { timestamp, timestampOrNull } from '../../base/clock.ts';
import type { Tx } from '../../store/store.ts';
import type { OnTargetsChanged } from '../executor-callbacks/schema-follow-ups.ts';
import type { EndedJobRun, OnJobRunEnded } from '../job-runs/job-run-advance.ts';
import type { OnJobRunLate } from '../job-runs/job-run-lateness.ts';
import type { EmitTriggerEvent, TriggerPausedEvent } from '../triggers/trigger-health.ts';
import { insertDeliveries } from './delivery/webhook-delivery-store.ts';
import { addFailure, closeEpisode } from './failure-episode-store.ts';
import { mayWant, type Subscription, wants } from './webhook.ts';
import { bodyOf, type WebhookEvent, type WebhookEventKind } from './webhook-event.ts';
import { type EventJob, type Known, selectEventJob, selectKnown } from './webhook-store.ts';

/** Writes an event for every subscribed receiver, in the transaction of the change. `now` in milliseconds, by the store's clock. */
export type EmitEvent = (tx: Tx, event: WebhookEvent, now: number) => Promise<void>;

/** The body of an event for a channel, which tells people more than a webhook tells programs. */
export type ChannelBody = (tx: Tx, event: WebhookEvent, now: number) => Promise<string>;

export interface WebhookOutboxDeps {
  /** 128 random bits or more, as text. */
  readonly newEventId: () => string;
  readonly channelBody: ChannelBody;
}

/** What a transaction knows of receivers and jobs. */
interface Facts {
  readonly known: Promise<Known>;
  readonly jobs: Map<number, Promise<EventJob>>;
}

export type WebhookOutbox = ReturnType<typeof createWebhookOutbox>;

/**
 * The entry to the outbox. If no enabled receiver wants an event, nothing is written: a transaction that ends job runs then
 * costs one small select, however many end.
 */
export function createWebhookOutbox({ newEventId, channelBody }: WebhookOutboxDeps) {
  const { knownIn, jobOf } = createFacts();

  const emit: EmitEvent = async (tx, event, now) => {
    const { subscriptions } = await knownIn(tx);
    const jobId = 'job_id' in event.data ? event.data.job_id : null;
    const open = subscriptions.filter((one) => mayWant(one, event.type, jobId));
    if (open.length === 0) return;
    const job = jobId === null ? null : { id: jobId, ...(await jobOf(tx, jobId)) };
    const wanting = open.filter((one) => wants(one, event.type, job));
    await emitTo(tx, wanting, event, now);
  };

  /** For these receivers, whatever they are subscribed to. */
  async function emitTo(
    tx: Tx,
    receivers: readonly Pick<Subscription, 'id' | 'kind'>[],
    event: WebhookEvent,
    now: number,
  ): Promise<void> {
    if (receivers.length === 0) return;
    const hasChannel = receivers.some(({ kind }) => kind !== 'webhook');
    const told = hasChannel ? await channelBody(tx, event, now) : '';
    const thin = bodyOf(event, now);
    const message = { event_id: newEventId(), event: event.type };
    await insertDeliveries(
      tx,
      receivers.map(({ id, kind }) => ({
        webhook_id: id,
        ...message,
        body: kind === 'webhook' ? thin : told,
      })),
      now,
    );
  }

  const onTriggerPaused: EmitTriggerEvent = async (tx, event: TriggerPausedEvent) => {
    const { type, paused_at, ...told } = event;
    const { name: job_name } = await jobOf(tx, told.job_id);
    await emit(tx, { type, data: { ...told, job_name } }, paused_at);
  };

  const onTargetsChanged: OnTargetsChanged = async (tx, { trigger_id: _, ...told }, now) => {
    const changes = told.changes
      .filter(({ on_change }) => on_change === 'notify')
      .map(({ on_change: _, ...change }) => change);
    if (changes.length === 0) return;
    const { name: job_name } = await jobOf(tx, told.job_id);
    await emit(tx, { type: 'schema.changed', data: { ...told, job_name, changes } }, now);
  };

  const onJobRunLate: OnJobRunLate = async (tx, { id: job_run_id, sla_at, ...told }, now) => {
    const { name: job_name } = await jobOf(tx, told.job_id);
    const due_at = timestamp(sla_at);
    await emit(tx, { type: 'job.late', data: { ...told, job_name, job_run_id, due_at, reason: 'sla' } }, now);
  };

  const onJobRunEnded = onEnded({ emit, knownIn, jobOf });
  return { emit, emitTo, onJobRunEnded, onJobRunLate, onTriggerPaused, onTargetsChanged };
}

type OutboxFacts = ReturnType<typeof createFacts>;

/** What each transaction has read, kept while it lasts. */
function createFacts() {
  const factsIn = new WeakMap<Tx, Facts>();

  function factsOf(tx: Tx): Facts {
    const facts = factsIn.get(tx) ?? { known: selectKnown(tx), jobs: new Map() };
    factsIn.set(tx, facts);
    return facts;
  }

  function jobOf(tx: Tx, id: number): Promise<EventJob> {
    const { jobs } = factsOf(tx);
    const job = jobs.get(id) ?? selectEventJob(tx, id);
    jobs.set(id, job);
    return job;
  }

  return { knownIn: (tx: Tx): Promise<Known> => factsOf(tx).known, jobOf };
}

/** A cancelled job run says nothing about whether the job works: it neither opens nor ends an episode. */
function onEnded({ emit, knownIn, jobOf }: OutboxFacts & { readonly emit: EmitEvent }): OnJobRunEnded {
  return async (tx, ended, now) => {
    const failed = ended.status === 'error';
    if (!failed && ended.status !== 'success' && ended.status !== 'warning') return;
    const known = await knownIn(tx);
    const wanted = (...kinds: WebhookEventKind[]) =>
      known.subscriptions.some((one) => kinds.some((kind) => mayWant(one, kind, ended.job_id)));
    if (failed && !wanted('job_run.failed', 'run.failing', 'run.recovered')) return;
    if (!failed && !known.anyFailing && !wanted('job_run.succeeded')) return;
    const key = { job_id: ended.job_id, job_run_id: ended.id };
    if (failed) {
      // Without a subscription to either alert, nobody needs an episode.
      const episode = wanted('run.failing', 'run.recovered') ? await addFailure(tx, key, now) : null;
      known.anyFailing ||= episode !== null;
      const data = dataOf(ended, await jobOf(tx, ended.job_id), now);
      await emit(tx, { type: 'job_run.failed', data }, now);
      if (episode?.failures !== 1) return;
      await emit(tx, { type: 'run.failing', data: { ...data, since: timestamp(episode.opened_at) } }, now);
      return;
    }
    // Even without subscribers: an episode left open would suppress the alert of the next one.
    const episode = known.anyFailing ? await closeEpisode(tx, ended.job_id) : null;
    if (!wanted('job_run.succeeded', 'run.recovered')) return;
    const data = dataOf(ended, await jobOf(tx, ended.job_id), now);
    await emit(tx, { type: 'job_run.succeeded', data }, now);
    if (episode === null) return;
    const { opened_at, job_run_id, failures } = episode;
    const since = { since: timestamp(opened_at), first_failed_job_run_id: job_run_id };
    await emit(tx, { type: 'run.recovered', data: { ...data, ...since, failed_job_runs: failures } }, now);
  };
}

function dataOf(ended: EndedJobRun, { name }: EventJob, now: number) {
  return {
    job_run_id: ended.id,
    job_id: ended.job_id,
    job_name: name,
    trigger_id: ended.trigger_id,
    status: ended.status as 'success' | 'warning' | 'error',
    reason: ended.reason,
    scheduled_for: timestampOrNull(ended.scheduled_for),
    ended_at: timestamp(now),
  };
}
