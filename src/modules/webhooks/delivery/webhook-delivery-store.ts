import { sql } from 'kysely';
import type { Paging } from '../../../http/paging.ts';
import type { Dialect } from '../../../store/dialect.ts';
import { narrowed, onPage } from '../../../store/lists/keyset.ts';
import type { Db, Tx } from '../../../store/store.ts';
import type { WebhookRow } from '../webhook.ts';
import type { Attempt, DeliveryRow, DeliveryStatus } from './webhook-delivery.ts';

/** Rows of one transaction; the next sweep continues. */
const OVERFLOW_PER_SWEEP_MAX = 200_000;

export interface NewDelivery {
  readonly webhook_id: number;
  readonly event_id: string;
  readonly event: string;
  readonly body: string;
}

/** Due at once. */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  await tx
    .insertInto('webhook_deliveries')
    .values(deliveries.map((one) => ({ ...one, status: 'pending', next_attempt_at: now, created_at: now })))
    .execute();
}

export async function selectDelivery(db: Db, webhookId: number, id: number): Promise<DeliveryRow | null> {
  const query = db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id);
  return (await query.where('webhook_id', '=', webhookId).executeTakeFirst()) ?? null;
}

/** The one that was queued last; null where there is none. */
export async function selectNewestDelivery(db: Db, webhookId: number): Promise<DeliveryRow | null> {
  const query = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId);
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

export interface DeliveryFilters {
  readonly webhook_id: number;
  readonly status?: DeliveryStatus | undefined;
  readonly event?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectDeliveries(
  db: Db,
  filters: DeliveryFilters,
  paging: Paging,
): Promise<DeliveryRow[]> {
  const { webhook_id, status, event } = filters;
  const ofWebhook = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhook_id);
  const query = narrowed(ofWebhook, { status, event });
  return onPage(query, paging).execute();
}

/** Enabled webhooks with due deliveries, in the order of their ids. */
export async function selectDueWebhookIds(db: Db, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('id')
    .where('enabled', '=', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('status', '=', 'pending')
          .where('next_attempt_at', '<=', now),
      ),
    )
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export interface Claim {
  readonly webhookId: number;
  readonly limit: number;
  readonly token: string;
  /** When another deliverer may claim it. */
  readonly until: number;
}

/** A delivery to send now, with the needed parts of its webhook. */
export type ClaimedDelivery = Pick<
  DeliveryRow,
  'id' | 'webhook_id' | 'event_id' | 'event' | 'body' | 'tries'
>;

/**
 * Claims due deliveries of one webhook, the longest due first; nobody else claims them before `until`. Those of a dead
 * deliverer become due again then.
 */
export async function claimDue(
  tx: Tx,
  dialect: Dialect,
  claim: Claim,
  now: number,
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    update webhook_deliveries
    set next_attempt_at = ${claim.until}, lease_token = ${claim.token}, attempts = attempts + 1, tries = tries + 1,
      last_attempt_at = ${now}
    where id in (
      select id from webhook_deliveries
      where webhook_id = ${claim.webhookId} and status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${claim.limit} ${dialect.skipLocked})
    returning id, webhook_id, event_id, event, body, tries`.execute(tx);
  return rows.map((row) => ({ ...row, tries: Number(row.tries) }));
}

/**
 * The webhook and the claimed delivery's state, locked in this order; null if another deliverer has it by now, or it was
 * deleted.
 */
export async function lockClaimed(
  tx: Tx,
  dialect: Dialect,
  { id, webhook_id }: Pick<DeliveryRow, 'id' | 'webhook_id'>,
  token: string,
): Promise<{ readonly webhook: WebhookRow; readonly status: DeliveryStatus } | null> {
  const webhooks = tx.selectFrom('webhooks').selectAll().where('id', '=', webhook_id);
  const webhook = await webhooks.modifyEnd(dialect.forUpdate).executeTakeFirst();
  const query = tx.selectFrom('webhook_deliveries').select('status').where('id', '=', id);
  const found = await query.where('lease_token', '=', token).modifyEnd(dialect.forUpdate).executeTakeFirst();
  if (webhook === undefined || found === undefined) return null;
  return { webhook, status: found.status as DeliveryStatus };
}

/** The result of an attempt; `nextAttemptAt` null ends the delivery. */
export async function recordAttempt(
  tx: Tx,
  id: number,
  { attempt, nextAttemptAt }: { readonly attempt: Attempt; readonly nextAttemptAt: number | null },
  now: number,
): Promise<void> {
  const ended = attempt.ok || nextAttemptAt === null;
  await tx
    .updateTable('webhook_deliveries')
    .set({
      status: attempt.ok ? 'delivered' : ended ? 'failed' : 'pending',
      next_attempt_at: ended ? null : nextAttemptAt,
      lease_token: null,
      response_status: attempt.status,
      response_body: attempt.body,
      error: attempt.error,
      duration_ms: attempt.durationMs,
      ended_at: ended ? now : null,
    })
    .where('id', '=', id)
    .execute();
}

/** Returns claimed deliveries that were not completed: due at once, as if they had not been tried. */
export async function releaseClaim(tx: Tx, id: number, token: string, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set((eb) => ({ next_attempt_at: now, lease_token: null, tries: eb('tries', '-', 1) }))
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .where('status', '=', 'pending')
    .execute();
}

/** Fails the pending deliveries of a webhook. Those being sent may still be delivered. */
export async function failPending(tx: Tx, webhookId: number, error: string, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, error, ended_at: now })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute();
}

const QUEUED_AGAIN = { status: 'pending', tries: 0, lease_token: null, ended_at: null } as const;

/** Queues a delivery again at once, with all its retries. */
export async function requeueDelivery(tx: Tx, id: number, now: number): Promise<DeliveryRow> {
  return tx
    .updateTable('webhook_deliveries')
    .set({ ...QUEUED_AGAIN, next_attempt_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The same for the oldest failed ones since `since`; returns their number. */
export async function requeueFailed(
  tx: Tx,
  webhookId: number,
  since: number,
  limit: number,
  now: number,
): Promise<number> {
  const result = await tx
    .updateTable('webhook_deliveries')
    .set({ ...QUEUED_AGAIN, next_attempt_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'failed')
        .where('created_at', '>=', since)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export async function countFailed(db: Db, webhookId: number, since: number): Promise<number> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'failed')
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Fails the pending deliveries of a webhook except the `kept` that are due soonest. Returns their number. */
export async function failOverflow(
  tx: Tx,
  webhookId: number,
  { kept, error }: { readonly kept: number; readonly error: string },
  now: number,
): Promise<number> {
  const pending = tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .orderBy('next_attempt_at')
    .orderBy('id')
    .offset(kept)
    .limit(OVERFLOW_PER_SWEEP_MAX);
  const result = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, error, ended_at: now })
    .where('id', 'in', pending)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Deletes those that ended earlier; at most `limit`. Returns their number. */
export async function deleteEnded(
  tx: Tx,
  status: Exclude<DeliveryStatus, 'pending'>,
  before: number,
  limit: number,
): Promise<number> {
  const result = await tx
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('status', '=', status)
        .where('ended_at', '<', before)
        .orderBy('ended_at')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Webhooks that are gone, and have got deliveries from a transaction that ended after their deletion. */
export async function selectGoneWebhookIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive owners (id) as (
      select min(webhook_id) from webhook_deliveries
      union all
      select (select min(webhook_id) from webhook_deliveries where webhook_id > owners.id)
      from owners where owners.id is not null)
    select id from owners where id is not null and id not in (select id from webhooks)`.execute(db);
  return rows.map((row) => row.id);
}
