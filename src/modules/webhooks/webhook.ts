import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import { hasLabel, type Labels } from '../definitions/label.ts';
import type { SUBSCRIBED_KINDS, WebhookEventKind } from './webhook-event.ts';

/** A receiver of events: a webhook, or a channel of notifications, which the module after this one knows. */
export type WebhookRow = Selectable<Schema['webhooks']>;

/** How events reach a receiver. All but `webhook` are channels. */
export const CHANNEL_KINDS = ['email', 'slack', 'teams'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
export type ReceiverKind = 'webhook' | ChannelKind;

/** The kinds that a webhook subscribes to, or all, including future ones. */
export type WantedEvents = '*' | readonly (typeof SUBSCRIBED_KINDS)[number][];

/** What a receiver is told. Without jobs, templates and labels: of everything; else of these jobs, of the jobs of these templates, and of those with any of these labels. */
export interface Wanted {
  readonly events: WantedEvents;
  readonly job_ids: readonly number[] | null;
  readonly template_ids: readonly number[] | null;
  /** `name:value`, or `name` for whatever value. */
  readonly labels: readonly string[] | null;
  /** `dead_letters.exceeded` comes when a job has more open dead letters than these. */
  readonly dead_letters_over: number;
}

/** The settings of a receiver. */
export interface WebhookSettings extends Wanted {
  readonly name: string;
  readonly description: string | null;
  readonly url: string;
  readonly enabled: boolean;
}

/** The columns that decide whether a receiver gets an event. */
export type Subscription = Pick<
  WebhookRow,
  'id' | 'kind' | 'events_json' | 'job_ids_json' | 'template_ids_json' | 'labels_json' | 'dead_letters_over'
>;

/** What an event's scope is judged by. */
export interface ScopedJob {
  readonly id: number;
  /** Null where the job is gone. */
  readonly job_template_id: number | null;
  readonly labels: Labels;
}

/** `job` null: an event without a job, for receivers that are told of everything. */
export function wants(row: Subscription, kind: WebhookEventKind, job: ScopedJob | null): boolean {
  if (!wantsKind(row, kind)) return false;
  const { job_ids, template_ids, labels } = wantedOf(row);
  if (job_ids === null && template_ids === null && labels === null) return true;
  if (job === null) return false;
  const { id, job_template_id } = job;
  return (
    job_ids?.includes(id) ||
    (job_template_id !== null && template_ids?.includes(job_template_id)) ||
    labels?.some((label) => hasLabel(job.labels, label)) ||
    false
  );
}

/** As `wants`, before the job's template and labels are known: false only where it is certain. */
export function mayWant(row: Subscription, kind: WebhookEventKind, jobId: number | null): boolean {
  const isOpen = (row.template_ids_json !== null || row.labels_json !== null) && jobId !== null;
  return isOpen
    ? wantsKind(row, kind)
    : wants(row, kind, jobId === null ? null : { id: jobId, job_template_id: null, labels: {} });
}

function wantsKind(row: Subscription, kind: WebhookEventKind): boolean {
  const { events } = wantedOf(row);
  return events === '*' || (events as readonly WebhookEventKind[]).includes(kind);
}

export function wantedOf(row: Omit<Subscription, 'id' | 'kind'>): Wanted {
  return {
    events: JSON.parse(row.events_json) as WantedEvents,
    job_ids: idsOf(row.job_ids_json),
    template_ids: idsOf(row.template_ids_json),
    labels: row.labels_json === null ? null : (JSON.parse(row.labels_json) as string[]),
    dead_letters_over: Number(row.dead_letters_over),
  };
}

export function settingsOf(row: WebhookRow): WebhookSettings {
  return {
    name: row.name,
    description: row.description,
    url: row.url,
    ...wantedOf(row),
    enabled: row.enabled === 1,
  };
}

/** What the API returns of every receiver. */
export function toReceiver(row: WebhookRow) {
  const { url: _, events, job_ids, template_ids, labels, ...settings } = settingsOf(row);
  return {
    id: row.id,
    ...settings,
    events: events === '*' ? events : [...events],
    job_ids: job_ids === null ? null : [...job_ids],
    template_ids: template_ids === null ? null : [...template_ids],
    labels: labels === null ? null : [...labels],
    last_success_at: timestampOrNull(row.last_success_at),
    last_failure_at: timestampOrNull(row.last_failure_at),
    consecutive_failures: row.consecutive_failures,
    failing_since: timestampOrNull(row.failing_since),
    disabled_reason: row.disabled_reason,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    updated_by: row.updated_by,
  };
}

/** The webhook as the API returns it: of its secrets only the time until which the previous one signs. */
export function toWebhook(row: WebhookRow) {
  return {
    ...toReceiver(row),
    url: row.url,
    previous_secret_until: timestampOrNull(row.previous_secret_until),
  };
}

function idsOf(json: string | null): number[] | null {
  return json === null ? null : (JSON.parse(json) as number[]);
}
