import type { Tx } from '../../store/store.ts';
import { systemActor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { failPending } from './delivery/webhook-delivery-store.ts';
import type { WebhookRow } from './webhook.ts';
import { disableWebhook } from './webhook-store.ts';

/** The error of deliveries pending when their receiver was disabled: they can be resent manually. */
export const DISABLED = 'Its receiver was disabled before it was delivered';

/** Disables a webhook automatically; false if it already was. */
export async function disableInside(
  tx: Tx,
  webhook: Pick<WebhookRow, 'id' | 'name' | 'kind'>,
  reason: string,
  now: number,
): Promise<boolean> {
  if (!(await disableWebhook(tx, webhook.id, reason, now))) return false;
  await failPending(tx, webhook.id, DISABLED, now);
  const diff = { name: webhook.name, reason };
  const resourceType = webhook.kind === 'webhook' ? 'webhook' : 'channel';
  const entry = { action: `${resourceType}.disable`, resourceType, resourceId: webhook.id, diff };
  await insertAudit(tx, systemActor, entry, now);
  return true;
}
