import type { components } from '../../../../client/openapi-types.ts';

/** What webhooks and notification channels have in common. */
export type Receiver = Omit<components['schemas']['Webhook'], 'url' | 'previous_secret_until'>;

/** What a receiver is told of. */
export type Wanted = Pick<Receiver, 'events' | 'job_ids' | 'template_ids' | 'labels' | 'dead_letters_over'>;

export type Delivery = Omit<components['schemas']['WebhookDelivery'], 'webhook_id'>;

/** What a new receiver is told of, unless it is given otherwise. */
export const wantedAtFirst: Wanted = {
  events: '*',
  job_ids: null,
  template_ids: null,
  labels: null,
  dead_letters_over: 0,
};

export function wantedOf({ events, job_ids, template_ids, labels, dead_letters_over }: Wanted): Wanted {
  return { events, job_ids, template_ids, labels, dead_letters_over };
}

/** As a request has it. */
export function wantedBody({ events, job_ids, template_ids, labels, dead_letters_over }: Wanted) {
  return {
    events: events === '*' ? events : [...events],
    job_ids: job_ids && [...job_ids],
    template_ids: template_ids && [...template_ids],
    labels: labels && [...labels],
    dead_letters_over,
  };
}

/** The calls about what was sent to one receiver. */
export interface DeliveryCalls {
  /** Of the receiver: what is read under it is read again after a message was sent again. */
  readonly queryKey: readonly unknown[];
  /** Of the request that sends a test. */
  readonly testPath: string;
  list(
    query: { readonly status?: Delivery['status']; readonly cursor?: string },
    signal: AbortSignal,
  ): Promise<{ readonly result: readonly Delivery[]; readonly next_cursor: string | null }>;
  read(id: number, signal: AbortSignal): Promise<Delivery>;
  test(): Promise<Delivery>;
  redeliver(id: number): Promise<unknown>;
  /** Sends again what failed since a time. */
  redeliverFailed(since: string): Promise<unknown>;
}
