import { sql } from 'kysely';
import type { LogBatch } from '../../../protocol/control-plane.ts';
import type { CopyBuffer } from '../../../store/postgres/copy-buffer.ts';
import type { Store, Tx } from '../../../store/store.ts';
import { judgeLogLease, type LogLeaseState } from '../run-log.ts';
import {
  type AppendOutcome,
  type AttemptLog,
  appendBatch,
  refusal,
  type StoreLine,
} from '../run-log-append.ts';
import { ensureLogPartition, logDayOf, logPartitionOf } from './run-log-partitions.ts';

/** The largest `integer`: no attempt has a higher number. */
const ATTEMPT_MAX = 2 ** 31 - 1;
const UNDEFINED_TABLE = '42P01';
const COLUMNS = [
  'run_id',
  'attempt',
  'seq',
  'at',
  'level',
  'step_id',
  'message',
  'fields_json',
  'day',
] as const;

/**
 * The bulk writer over a server: many batches of many runs in one transaction, the rows by COPY straight into the partition of
 * the day, which is made where it is missing. `buffer` is this call's until it has ended.
 */
export async function commitLogs(
  store: Store,
  batches: readonly LogBatch[],
  runBytesMax: number,
  buffer: CopyBuffer,
): Promise<AppendOutcome[]> {
  const partition = { missing: 0 };
  try {
    return await commitOnce(store, batches, runBytesMax, buffer, partition);
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE || partition.missing === 0) throw error;
    await store.write((tx) => ensureLogPartition(tx, partition.missing));
    return commitOnce(store, batches, runBytesMax, buffer, partition);
  }
}

async function commitOnce(
  store: Store,
  batches: readonly LogBatch[],
  runBytesMax: number,
  buffer: CopyBuffer,
  partition: { missing: number },
): Promise<AppendOutcome[]> {
  if (store.bulkWrite === null) throw new Error('This store takes logs through its thread');
  return store.bulkWrite(async ({ tx, copy }) => {
    const { states, now } = await selectLeaseStates(store, tx, batches);
    const refused = batches.map((batch) => {
      const outcome = judgeLogLease(states.get(keyOf(batch)) ?? null, batch.lease, now);
      return outcome === 'ACCEPTED' ? null : outcome;
    });
    const logs = await lockCursors(
      tx,
      batches.filter((_, index) => refused[index] === null),
    );
    buffer.clear();
    const day = logDayOf(now);
    const outcomes = batches.map((batch, index) => {
      const log = logs.get(keyOf(batch)) ?? NEW_LOG;
      const outcome = refused[index] ?? null;
      return outcome === null
        ? appendBatch(batch, log, runBytesMax, storeInto(buffer, batch, day))
        : refusal(outcome, log.ackedSeq);
    });
    if (buffer.rows > 0) {
      partition.missing = day;
      await copy(logPartitionOf(day), COLUMNS, buffer.finish());
    }
    await moveCursors(tx, logs, now);
    return outcomes;
  }, 'log-append');
}

/** Deletes the log of a run that is gone. */
export async function forgetLogs(store: Store, runIds: readonly number[]): Promise<void> {
  await store.write(async (tx) => {
    await store.dialect.allowLong(tx);
    await sql`delete from run_logs where run_id = any(${runIds}::bigint[])`.execute(tx);
    await sql`delete from run_log_cursors where run_id = any(${runIds}::bigint[])`.execute(tx);
  });
}

const NEW_LOG: AttemptLog = { ackedSeq: 0, bytes: 0, runBytes: 0, dropped: 0 };
const keyOf = (batch: LogBatch) => `${batch.lease.run_id}/${batch.lease.attempt}`;

function storeInto(buffer: CopyBuffer, { lease }: LogBatch, day: number): StoreLine {
  return (seq, at, level, stepId, message, fieldsJson) => {
    buffer.row(COLUMNS.length);
    buffer.int8(lease.run_id);
    buffer.int4(lease.attempt);
    buffer.int8(seq);
    buffer.int8(at);
    buffer.int2(level);
    buffer.text(stepId);
    buffer.text(message);
    buffer.text(fieldsJson);
    buffer.int4(day);
  };
}

/** Run ids and attempts of the batches, each once. */
function attemptsOf(batches: readonly LogBatch[]): { runIds: number[]; attempts: number[] } {
  const leases = [...new Map(batches.map((batch) => [keyOf(batch), batch.lease])).values()];
  return {
    runIds: leases.map((lease) => lease.run_id),
    attempts: leases.map((lease) => Math.min(lease.attempt, ATTEMPT_MAX)),
  };
}

async function selectLeaseStates(
  store: Store,
  tx: Tx,
  batches: readonly LogBatch[],
): Promise<{ states: Map<string, LogLeaseState>; now: number }> {
  const { runIds, attempts } = attemptsOf(batches);
  const { rows } = await sql<LogLeaseState & { run_id: number; asked: number; now: number }>`
    select k.run_id, k.attempt as asked, r.status, r.epoch, r.attempt, r.lease_token, r.acknowledged,
           a.epoch as attempt_epoch, a.lease_token as attempt_token, a.ended_at as attempt_ended_at,
           ${store.dialect.nowMs} as now
    from unnest(${runIds}::bigint[], ${attempts}::int[]) as k(run_id, attempt)
    left join runs r on r.id = k.run_id
    left join run_attempts a on a.run_id = k.run_id and a.attempt = k.attempt`.execute(tx);
  const found = rows.filter((row) => row.status !== null);
  return {
    states: new Map(found.map((row) => [`${row.run_id}/${row.asked}`, row])),
    now: Number(rows[0]?.now ?? 0),
  };
}

interface CursorRow {
  readonly run_id: number;
  readonly attempt: number;
  readonly acked_seq: number;
  readonly bytes: number;
  readonly dropped: number;
  readonly other_bytes: number;
}

/** Makes and locks the cursor rows, in one order for all writers, so that two control planes never interleave one attempt. */
async function lockCursors(tx: Tx, batches: readonly LogBatch[]): Promise<Map<string, AttemptLog>> {
  if (batches.length === 0) return new Map();
  const { runIds, attempts } = attemptsOf(batches);
  const { rows } = await sql<CursorRow>`
    insert into run_log_cursors as c (run_id, attempt, acked_seq, bytes)
    select k.run_id, k.attempt, 0, 0 from unnest(${runIds}::bigint[], ${attempts}::int[]) as k(run_id, attempt)
    order by k.run_id, k.attempt
    on conflict (run_id, attempt) do update set bytes = c.bytes
    returning c.run_id, c.attempt, c.acked_seq, c.bytes, c.dropped,
      (select coalesce(sum(o.bytes), 0)::bigint from run_log_cursors o
       where o.run_id = c.run_id and o.attempt <> c.attempt) as other_bytes`.execute(tx);
  return new Map(
    rows.map((row) => [
      `${row.run_id}/${row.attempt}`,
      {
        ackedSeq: row.acked_seq,
        bytes: row.bytes,
        runBytes: row.bytes + row.other_bytes,
        dropped: row.dropped,
      },
    ]),
  );
}

async function moveCursors(tx: Tx, logs: ReadonlyMap<string, AttemptLog>, now: number): Promise<void> {
  if (logs.size === 0) return;
  const keys = [...logs.keys()].map((key) => key.split('/').map(Number));
  const values = [...logs.values()];
  await sql`
    update run_log_cursors c set acked_seq = n.acked_seq, bytes = n.bytes, dropped = n.dropped, last_at = ${now}
    from unnest(${keys.map(([runId]) => runId)}::bigint[], ${keys.map(([, attempt]) => attempt)}::int[],
      ${values.map((log) => log.ackedSeq)}::bigint[], ${values.map((log) => log.bytes)}::bigint[],
      ${values.map((log) => log.dropped)}::bigint[]) as n(run_id, attempt, acked_seq, bytes, dropped)
    where c.run_id = n.run_id and c.attempt = n.attempt`.execute(tx);
}
