import { sql } from 'kysely';
import { selectNow } from '../../../store/select-now.ts';
import type { Store, Tx } from '../../../store/store.ts';
import type { LogRetention } from '../run-log-retention.ts';

const DAY_MS = 86_400_000;
const PREFIX = 'run_logs_d';
/** Any number that nobody else locks: those who make and drop partitions go one after another. */
const LOCK = 0x6c_6f_67_73;
/** A partition that readers hold is left for the next time. */
const LOCK_WAIT_MS = 2_000;

/** Days since 1970, by the store's clock: what lines are partitioned by. */
export function logDayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

export function logPartitionOf(day: number): string {
  return `${PREFIX}${day}`;
}

/** Whether the partition of a day is there; nobody makes or drops one until the transaction ends. */
async function isThere(tx: Tx, day: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
  // Read from the table: `to_regclass` may still know what another transaction dropped while this one waited for the lock.
  const { rows } = await sql`
    select 1 from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'run_logs'::regclass and c.relname = ${logPartitionOf(day)}`.execute(tx);
  return rows.length > 0;
}

/** Makes the partition of a day where it is missing. Attached, not created in place: that would wait for every reader. */
export async function ensureLogPartition(tx: Tx, day: number): Promise<void> {
  if (await isThere(tx, day)) return;
  const name = logPartitionOf(day);
  await sql`create table ${sql.table(name)} (like run_logs including defaults)`.execute(tx);
  await sql`alter table run_logs attach partition ${sql.table(name)} for values in (${sql.lit(day)})`.execute(
    tx,
  );
}

export interface LogPartition {
  readonly day: number;
  readonly bytes: number;
}

/** The partitions that there are, the oldest first, with what they take on disk. */
export async function selectLogPartitions(tx: Tx): Promise<LogPartition[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select c.relname as name, pg_total_relation_size(c.oid) as bytes
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'run_logs'::regclass`.execute(tx);
  return rows
    .map(({ name, bytes }) => ({ day: Number(name.slice(PREFIX.length)), bytes }))
    .filter(({ day }) => Number.isSafeInteger(day))
    .sort((one, other) => one.day - other.day);
}

/** Tells readers that the lines of this day and those before are gone, before they are: see `dropLogPartition`. */
export async function markPruned(tx: Tx, day: number): Promise<void> {
  // Another control plane may have been quicker.
  if (!(await isThere(tx, day))) return;
  const end = (day + 1) * DAY_MS;
  await sql`
    update run_log_cursors set pruned_seq = acked_seq where last_at < ${end} and pruned_seq < acked_seq`.execute(
    tx,
  );
  // Attempts that went on after that day keep what they wrote since.
  await sql`
    update run_log_cursors c set pruned_seq = greatest(c.pruned_seq, p.seq)
    from (select k.run_id, k.attempt,
            (select max(l.seq) from ${sql.table(logPartitionOf(day))} l where l.run_id = k.run_id and l.attempt = k.attempt) as seq
          from run_log_cursors k where k.last_at >= ${end} and k.pruned_seq < k.acked_seq) p
    where p.seq is not null and c.run_id = p.run_id and c.attempt = p.attempt`.execute(tx);
}

/** Throws where readers hold it for too long. */
export async function dropLogPartition(tx: Tx, day: number): Promise<void> {
  if (!(await isThere(tx, day))) return;
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(tx);
  await sql`drop table ${sql.table(logPartitionOf(day))}`.execute(tx);
}

/**
 * Drops the partitions of days that are past, whole, and makes those of today and tomorrow ahead. Readers are notified before the
 * lines go, so a sweep that dies in between is finished by the next. Today's is never dropped.
 */
export async function pruneLogPartitions(store: Store, retention: LogRetention): Promise<void> {
  const now = await selectNow(store.read, store.dialect);
  const today = logDayOf(now);
  for (const day of [today, today + 1]) await store.write((tx) => ensureLogPartition(tx, day));
  const partitions = await store.write(selectLogPartitions);
  let bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  for (const partition of partitions) {
    const tooOld = partition.day < logDayOf(retention.before);
    const tooMuch = retention.bytesMax > 0 && bytes > retention.bytesMax;
    if (partition.day >= today || !(tooOld || tooMuch)) continue;
    for (const step of [markPruned, dropLogPartition]) {
      await store.write(async (tx) => {
        await store.dialect.allowLong(tx);
        await step(tx, partition.day);
      });
    }
    bytes -= partition.bytes;
  }
}
