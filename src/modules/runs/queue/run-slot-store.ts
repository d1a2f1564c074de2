import { sql } from 'kysely';
import type { Dialect } from '../../../store/dialect.ts';
import type { Db, Tx } from '../../../store/store.ts';

/** Runs of one key that one call lets back into the queue. */
const UNPARKED_MAX = 1_000;

/** Runs that are held of each of these concurrency keys: what counts against a limit. */
export async function countHeld(
  db: Db,
  dialect: Dialect,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const wanted = dialect.rows(
    { name: 'text' },
    keys.map((name) => ({ name })),
  );
  const { rows } = await sql<{ concurrency_key: string; held: number }>`
    select concurrency_key, count(*) as held from runs
    where status in ('running', 'cancelling') and concurrency_key is not null
      and concurrency_key in (select name from ${wanted} as wanted)
    group by concurrency_key`.execute(db);
  return new Map(rows.map((row) => [row.concurrency_key, Number(row.held)]));
}

/** Of these keys those that this transaction alone may give runs of; never waits. */
export async function lockKeys(tx: Tx, dialect: Dialect, keys: readonly string[]): Promise<Set<string>> {
  const wanted = dialect.rows(
    { name: 'text' },
    keys.map((name) => ({ name })),
  );
  const { rows } = await sql<{ name: string; locked: number }>`
    select name, ${dialect.tryLock('name')} as locked from ${wanted} as wanted`.execute(tx);
  return new Set(rows.filter(({ locked }) => Number(locked) === 1).map(({ name }) => name));
}

/** These queued runs, locked by the caller, wait for a slot of their key: claims do not look at them until one is free. */
export async function parkRuns(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  const wanted = dialect.rows(
    { id: 'bigint' },
    ids.map((id) => ({ id })),
  );
  await sql`update runs set waiting = 'awaiting_slot'
    where id in (select id from ${wanted} as wanted) and status = 'queued'`.execute(tx);
}

/** A slot of each of these keys (as often as it is named) is free: as many runs that wait for it may be claimed again. */
export async function unparkRuns(tx: Tx, dialect: Dialect, keys: readonly string[]): Promise<boolean> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  let unparked = false;
  for (const [key, count] of counts) if (await unpark(tx, dialect, key, count)) unparked = true;
  return unparked;
}

async function unpark(tx: Tx, dialect: Dialect, key: string, count: number): Promise<boolean> {
  const result = await sql`update runs set waiting = null where id in (
    select id from runs where status = 'queued' and concurrency_key = ${key} and waiting = 'awaiting_slot'
    order by priority desc, available_at, id limit ${count} ${dialect.skipLocked})`.execute(tx);
  return (result.numAffectedRows ?? 0n) > 0n;
}

/**
 * Lets runs back into the queue whose key has a free slot though they wait for one: whatever freed it did not say so. Counted
 * anew; one too many is parked again by the claim that finds it.
 */
export async function unparkForgotten(tx: Tx, dialect: Dialect, now: number): Promise<boolean> {
  const { rows } = await sql<{ concurrency_key: string; slots: number; held: number }>`
    select waiting.concurrency_key, min(waiting.concurrency_limit) as slots,
      (select count(*) from runs where runs.concurrency_key = waiting.concurrency_key
        and runs.status in ('running', 'cancelling')) +
      (select count(*) from (select 1 from runs where runs.concurrency_key = waiting.concurrency_key
        and runs.status = 'queued' and runs.waiting is null and runs.available_at <= ${now} limit ${UNPARKED_MAX}) as free) as held
    from runs as waiting
    where waiting.status = 'queued' and waiting.waiting = 'awaiting_slot'
    group by waiting.concurrency_key`.execute(tx);
  let unparked = false;
  for (const { concurrency_key, slots, held } of rows) {
    const free = Math.min(UNPARKED_MAX, Number(slots) - Number(held));
    if (free > 0 && (await unpark(tx, dialect, concurrency_key, free))) unparked = true;
  }
  return unparked;
}
