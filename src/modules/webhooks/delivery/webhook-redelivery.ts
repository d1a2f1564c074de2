import type { Clock } from '../../../base/clock.ts';
import { AppError, notFound, requireFound } from '../../../base/errors.ts';
import { randomHex } from '../../../base/ids.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store, Tx } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import { createAudit } from '../../audit/audit-service.ts';
import type { WebhookRow } from '../webhook.ts';
import type { WebhookOutbox } from '../webhook-outbox.ts';
import { lockReceiver } from '../webhook-store.ts';
import type { DeliveryRow } from './webhook-delivery.ts';
import {
  countFailed,
  requeueDelivery,
  requeueFailed,
  selectDelivery,
  selectNewestDelivery,
} from './webhook-delivery-store.ts';

/** Failed deliveries that one request queues again. */
export const REDELIVERED_MAX = 1_000;

const EVENT_ID_BYTES = 16;

/** `webhook-id`: the same in every attempt, so that receivers can recognize duplicates. */
export function newEventId(): string {
  return `msg_${randomHex(EVENT_ID_BYTES)}`;
}

export interface WebhookRedeliveryDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Whose deliveries: others are not found. */
  readonly receiver: 'webhook' | 'channel';
  readonly emitTo: WebhookOutbox['emitTo'];
  /** Wakes the deliverers, after the commit. */
  readonly wake: () => void;
}

export type WebhookRedelivery = ReturnType<typeof createWebhookRedelivery>;

/** Manual sends: tests, and redeliveries. `CONFLICT` if the receiver is disabled. */
export function createWebhookRedelivery({ store, clock, receiver, emitTo, wake }: WebhookRedeliveryDeps) {
  const audit = createAudit(clock);

  /** Takes the same path as every event. */
  async function test(id: number, actor: Actor): Promise<DeliveryRow> {
    const row = await queued(id, async (tx, now, { kind }) => {
      await emitTo(tx, [{ id, kind }], { type: 'webhook.test', data: { webhook_id: id } }, now);
      const queuedRow = await selectNewestDelivery(tx, id);
      await audit(tx, actor, `${receiver}.test`, id, { delivery_id: queuedRow?.id });
      return queuedRow;
    });
    if (row === null) throw new AppError('INTERNAL_ERROR', 'The test could not be queued');
    return row;
  }

  /** With the same `webhook-id` and all its retries, whatever its status. */
  async function redeliver(id: number, deliveryId: number, actor: Actor): Promise<DeliveryRow> {
    return queued(id, async (tx, now) => {
      requireFound(await selectDelivery(tx, id, deliveryId), 'delivery', deliveryId);
      await audit(tx, actor, `${receiver}.redeliver`, id, { delivery_id: deliveryId });
      return requeueDelivery(tx, deliveryId, now);
    });
  }

  /** The oldest failed ones since `since`, and the number left. */
  async function redeliverFailed(
    id: number,
    since: number,
    actor: Actor,
  ): Promise<{ readonly queued: number; readonly remaining: number }> {
    return queued(id, async (tx, now) => {
      const count = await requeueFailed(tx, id, since, REDELIVERED_MAX, now);
      const remaining = await countFailed(tx, id, since);
      if (count > 0) await audit(tx, actor, `${receiver}.redeliver`, id, { queued: count, remaining });
      return { queued: count, remaining };
    });
  }

  async function queued<T>(
    id: number,
    work: (tx: Tx, now: number, row: WebhookRow) => Promise<T>,
  ): Promise<T> {
    const result = await store.write(async (tx) => {
      const row = await lockReceiver(tx, store.dialect, id);
      if (row === null || (row.kind === 'webhook') !== (receiver === 'webhook')) throw notFound(receiver, id);
      if (row.enabled === 0)
        throw new AppError('CONFLICT', `The ${receiver} "${row.name}" is disabled: enable it first`);
      return work(tx, await selectNow(tx, store.dialect), row);
    });
    wake();
    return result;
  }

  return { test, redeliver, redeliverFailed };
}
