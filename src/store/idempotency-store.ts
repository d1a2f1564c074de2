import { sql } from 'kysely';
import { IDEMPOTENCY_IN_FLIGHT_MS, IDEMPOTENCY_KEPT_MS, type IdempotencyStore } from '../base/idempotency.ts';
import type { Store, Tx } from './store.ts';

/** Stores the first answer of each Idempotency-Key in the state store, so that any control plane can replay it. */
export function createIdempotencyStore(store: Store, now: () => number): IdempotencyStore {
  return {
    begin: (principal, key, requestHash) =>
      store.write(async (tx) => {
        await deleteSpent(tx, principal, key, now());
        const made = await tx
          .insertInto('idempotency_keys')
          .values({ principal, key, request_hash: requestHash, created_at: now() })
          .onConflict((oc) => oc.doNothing())
          .executeTakeFirst();
        if ((made.numInsertedOrUpdatedRows ?? 0n) > 0n) return { state: 'mine' };
        const row = await tx
          .selectFrom('idempotency_keys')
          .selectAll()
          .where('principal', '=', principal)
          .where('key', '=', key)
          .executeTakeFirst();
        // The first request may have failed and released the key between the two statements.
        if (row === undefined) return { state: 'in_flight' };
        if (row.request_hash !== requestHash) return { state: 'other_request' };
        if (row.status === null || row.body === null) return { state: 'in_flight' };
        return { state: 'done', status: row.status, body: row.body };
      }),
    finish: (principal, key, status, body) =>
      store.write(async (tx) => {
        const update = tx.updateTable('idempotency_keys').set({ status, body });
        await update.where('principal', '=', principal).where('key', '=', key).execute();
      }),
    forget: (principal, key) =>
      store.write(async (tx) => {
        await tx
          .deleteFrom('idempotency_keys')
          .where('principal', '=', principal)
          .where('key', '=', key)
          .execute();
      }),
  };
}

/** Deletes the key if its answer is too old to be replayed, or the first request died without one. */
async function deleteSpent(tx: Tx, principal: string, key: string, now: number): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('principal', '=', principal)
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('created_at', '<=', now - IDEMPOTENCY_KEPT_MS),
        eb.and([eb('status', 'is', null), eb('created_at', '<=', now - IDEMPOTENCY_IN_FLIGHT_MS)]),
      ]),
    )
    .execute();
}

/** Deletes at most `limit`; gives how many. */
export async function deleteOldIdempotencyKeys(tx: Tx, before: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from idempotency_keys where (principal, key) in (
    select principal, key from idempotency_keys where created_at < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
