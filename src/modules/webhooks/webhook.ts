import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import type { SUBSCRIBED_KINDS, WebhookEventKind } from './webhook-event.ts';

export type WebhookRow = Selectable<Schema['webhooks']>;

/** The kinds that a webhook subscribes to, or all, including future ones. */
export type WantedEvents = '*' | readonly (typeof SUBSCRIBED_KINDS)[number][];

/** The settings of a webhook. */
export interface WebhookSettings {
  readonly name: string;
  readonly description: string | null;
  readonly url: string;
  readonly events: WantedEvents;
  /** Null: all jobs. */
  readonly job_ids: readonly number[] | null;
  readonly enabled: boolean;
}

/** The columns that decide whether a webhook gets an event. */
export type Subscription = Pick<WebhookRow, 'id' | 'events_json' | 'job_ids_json'>;

/** `jobId` null: an event without a job, for webhooks of all jobs. */
export function wants(row: Subscription, kind: WebhookEventKind, jobId: number | null): boolean {
  const events = eventsOf(row);
  if (events !== '*' && !(events as readonly WebhookEventKind[]).includes(kind)) return false;
  const jobIds = jobIdsOf(row);
  return jobIds === null || (jobId !== null && jobIds.includes(jobId));
}

export function settingsOf(row: WebhookRow): WebhookSettings {
  return {
    name: row.name,
    description: row.description,
    url: row.url,
    events: eventsOf(row),
    job_ids: jobIdsOf(row),
    enabled: row.enabled === 1,
  };
}

/** The webhook as the API returns it: of its secrets only the time until which the previous one signs. */
export function toWebhook(row: WebhookRow) {
  const { events, job_ids, ...settings } = settingsOf(row);
  return {
    id: row.id,
    ...settings,
    events: events === '*' ? events : [...events],
    job_ids: job_ids === null ? null : [...job_ids],
    previous_secret_until: timestampOrNull(row.previous_secret_until),
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

function eventsOf(row: Pick<WebhookRow, 'events_json'>): WantedEvents {
  return JSON.parse(row.events_json) as WantedEvents;
}

function jobIdsOf(row: Pick<WebhookRow, 'job_ids_json'>): number[] | null {
  return row.job_ids_json === null ? null : (JSON.parse(row.job_ids_json) as number[]);
}
