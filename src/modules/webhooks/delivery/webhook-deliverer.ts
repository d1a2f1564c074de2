import { type Clock, sleep } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { randomToken } from '../../../base/ids.ts';
import type { Logger } from '../../../base/logger.ts';
import type { ServerMeter } from '../../../base/server-meter.ts';
import { FailureLog } from '../../../metering/failure-log.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Db, Store } from '../../../store/store.ts';
import type { ReceiverKind } from '../webhook.ts';
import { disableInside } from '../webhook-disable.ts';
import { recordFailure, recordSuccess, selectReceiver } from '../webhook-store.ts';
import { type Attempt, retryDelayMs } from './webhook-delivery.ts';
import {
  type ClaimedDelivery,
  claimDue,
  lockClaimed,
  recordAttempt,
  releaseClaim,
  selectDueWebhookIds,
} from './webhook-delivery-store.ts';
import type { SendDelivery } from './webhook-send.ts';

/** The channel that wakes deliverers. */
export const WEBHOOKS_CHANNEL = 'webhooks';

const POLL_MS = 1_000;
/** A flood of notifications is handled ten times a second. */
const GAP_MS = 100;
const SENDS_MAX = 64;
/** So that a slow receiver delays only itself. */
const SENDS_PER_WEBHOOK_MAX = 4;
/** Longer than any attempt: a deliverer without a result by then is dead. */
const LEASE_MS = 60_000;
export const ATTEMPT_TIMEOUT_MS = 15_000;
const DISABLE_AFTER_MS = 5 * 86_400_000;
const GONE = 410;

export interface WebhookDelivererDeps {
  readonly store: Store;
  /** By which the log is spared; due times and leases have another. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: ServerMeter;
  readonly random: () => number;
  /** How each kind of receiver is told. An attempt takes `ATTEMPT_TIMEOUT_MS` at most. */
  readonly senders: Readonly<Record<ReceiverKind, SendDelivery>>;
  /** The clock for due times and leases; default: the store's, the same for every control plane. */
  readonly now?: (db: Db) => Promise<number>;
}

/**
 * Sends the deliveries in the outbox, of webhooks and of channels. Any number of control planes can: each claims its deliveries, and those of a dead one are
 * sent again, with the same `webhook-id`. Modes: idle → looping (`start`) → stopped (`stop`, which aborts running attempts,
 * returns them and waits).
 */
export class WebhookDeliverer {
  readonly #deps: WebhookDelivererDeps;
  readonly #now: (db: Db) => Promise<number>;
  readonly #failures: FailureLog;
  readonly #givenUp: FailureLog;
  readonly #stop = new AbortController();
  readonly #sends = new Set<Promise<void>>();
  readonly #sendsOf = new Map<number, number>();
  #wake = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: WebhookDelivererDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? ((db) => selectNow(db, deps.store.dialect));
    this.#failures = new FailureLog({ ...deps, message: 'attempts to deliver webhooks failed' });
    this.#givenUp = new FailureLog({ ...deps, message: 'webhook deliveries failed for good' });
  }

  start(): void {
    const wake = () => this.#wake.abort();
    // Ending job runs notify of work, and their events come along.
    const unsubscribes = [WEBHOOKS_CHANNEL, 'work'].map((channel) => this.#deps.store.listen(channel, wake));
    this.#done = this.#loop().finally(() => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    await this.#done;
    await Promise.all(this.#sends);
  }

  /** Sends everything due, including what becomes due meanwhile; returns the number of attempts. */
  async deliverDue(): Promise<number> {
    let sent = 0;
    for (;;) {
      const claimed = await this.#fill();
      sent += claimed;
      if (claimed === 0 && this.#sends.size === 0) return sent;
      if (this.#sends.size > 0) await Promise.race(this.#sends);
    }
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await sleep(POLL_MS, this.#wake.signal);
      if (this.#stop.signal.aborted) return;
      this.#wake = new AbortController();
      try {
        await this.#fill();
      } catch (error) {
        this.#deps.logger.warn(
          { err: error },
          `webhooks could not be delivered, retrying: ${messageOf(error)}`,
        );
      }
      await sleep(GAP_MS, this.#stop.signal);
    }
  }

  /** Claims as many deliveries as there is room for, and starts sending them. Returns their number. */
  async #fill(): Promise<number> {
    const { store } = this.#deps;
    if (this.#sends.size >= SENDS_MAX) return 0;
    const due = await selectDueWebhookIds(store.read, await this.#now(store.read));
    const open = due.filter((id) => this.#roomOf(id) > 0);
    // Those with the fewest running attempts first: slow receivers come last if there is not room for all.
    open.sort((a, b) => this.#roomOf(b) - this.#roomOf(a));
    let claimed = 0;
    for (const id of open) {
      if (this.#sends.size >= SENDS_MAX || this.#stop.signal.aborted) break;
      claimed += await this.#claimOf(id);
    }
    return claimed;
  }

  #roomOf(webhookId: number): number {
    return SENDS_PER_WEBHOOK_MAX - (this.#sendsOf.get(webhookId) ?? 0);
  }

  async #claimOf(webhookId: number): Promise<number> {
    const { store } = this.#deps;
    const token = randomToken();
    const limit = Math.min(this.#roomOf(webhookId), SENDS_MAX - this.#sends.size);
    const claimed = await store.write(async (tx) => {
      const now = await this.#now(tx);
      return claimDue(tx, store.dialect, { webhookId, limit, token, until: now + LEASE_MS }, now);
    }, 'webhook-claim');
    for (const delivery of claimed) this.#begin(delivery, token);
    return claimed.length;
  }

  #begin(delivery: ClaimedDelivery, token: string): void {
    const { webhook_id } = delivery;
    this.#sendsOf.set(webhook_id, (this.#sendsOf.get(webhook_id) ?? 0) + 1);
    const send = this.#deliver(delivery, token)
      .catch((error: unknown) => {
        const about = { err: error, webhook_id, delivery_id: delivery.id };
        this.#deps.logger.warn(
          about,
          `a webhook delivery failed internally and will be retried: ${messageOf(error)}`,
        );
      })
      .finally(() => {
        this.#sends.delete(send);
        const left = (this.#sendsOf.get(webhook_id) ?? 1) - 1;
        if (left === 0) this.#sendsOf.delete(webhook_id);
        else this.#sendsOf.set(webhook_id, left);
        this.#wake.abort();
      });
    this.#sends.add(send);
  }

  async #deliver(delivery: ClaimedDelivery, token: string): Promise<void> {
    const { store, senders } = this.#deps;
    const receiver = await selectReceiver(store.read, delivery.webhook_id);
    if (receiver === null) return;
    const at = await this.#now(store.read);
    const message = { eventId: delivery.event_id, event: delivery.event, body: delivery.body, at };
    const { signal } = this.#stop;
    let attempt: Attempt;
    try {
      attempt = await senders[receiver.kind as ReceiverKind](receiver, message, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await store.write(async (tx) => releaseClaim(tx, delivery.id, token, await this.#now(tx)));
      return;
    }
    await this.#settle(delivery, token, attempt);
  }

  async #settle(delivery: ClaimedDelivery, token: string, attempt: Attempt): Promise<void> {
    const { store, random, meter, logger } = this.#deps;
    const outcome = await store.write(async (tx) => {
      const held = await lockClaimed(tx, store.dialect, delivery, token);
      if (held === null) return 'lost';
      const { webhook, status } = held;
      const now = await this.#now(tx);
      const reason = attempt.ok ? null : disableReason(attempt, now - (webhook.failing_since ?? now));
      const goesOn = status === 'pending' && reason === null;
      const delayMs = goesOn ? retryDelayMs(delivery.tries, attempt, random) : null;
      const nextAttemptAt = delayMs === null ? null : now + delayMs;
      await recordAttempt(tx, delivery.id, { attempt, nextAttemptAt }, now);
      if (attempt.ok) {
        await recordSuccess(tx, webhook.id, now);
        return 'delivered';
      }
      await recordFailure(tx, webhook.id, now);
      if (reason !== null && (await disableInside(tx, webhook, reason, now))) return 'disabled';
      return nextAttemptAt === null ? 'given up' : 'failed';
    }, 'webhook-settle');
    if (outcome === 'lost') return;
    meter.count(outcome === 'delivered' ? 'webhooks_delivered' : 'webhook_attempts_failed');
    if (outcome === 'delivered') return;
    const about = { webhook_id: delivery.webhook_id, delivery_id: delivery.id };
    this.#failures.add(attempt.error, about);
    if (outcome === 'failed') return;
    meter.count('webhooks_given_up');
    if (outcome === 'disabled') logger.warn(about, 'a webhook was disabled');
    else this.#givenUp.add(attempt.error, about);
  }
}

/** Why the webhook is disabled; null if it is not. */
function disableReason(attempt: Attempt, failingMs: number): string | null {
  if (attempt.status === GONE) return 'It answered 410 Gone: the receiver no longer wants events';
  if (failingMs < DISABLE_AFTER_MS) return null;
  return `Only failures for ${Math.floor(failingMs / 86_400_000)} days`;
}
