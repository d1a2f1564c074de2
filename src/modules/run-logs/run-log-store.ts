import { type Kysely, sql } from 'kysely';
import { textMatch } from '../../store/lists/text-match.ts';
import type { LogSchema } from '../../store/schema.ts';
import type { LogCursor } from './run-log.ts';
import type { LogRetention } from './run-log-retention.ts';

/** Lines that one filtered read looks at: then it returns what it found, and where to continue. */
export const LOG_SCAN_LINES_MAX = 20_000;

/** Attempts count first. */
export interface LogPlace {
  readonly attempt: number;
  readonly seq: number;
}

export interface LogFilters {
  /** Lines after this place. */
  readonly after: LogPlace;
  /** This level and those above. */
  readonly level?: number | undefined;
  readonly step?: string | undefined;
  readonly q?: string | undefined;
}

export interface LogRow {
  readonly run_id: number;
  readonly attempt: number;
  readonly seq: number;
  readonly at: number;
  readonly level: number;
  readonly step_id: string;
  readonly message: string;
  readonly fields_json: string | null;
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** Where to continue; null at the end. */
  readonly next: LogPlace | null;
}

/**
 * Lines in the order they were written: by attempt, then seq. A filtered page looks at `scanMax` lines at most, so it may have
 * fewer than `limit`, or none, and more to come.
 */
export async function selectLogPage(
  db: Kysely<LogSchema>,
  runId: number,
  filters: LogFilters,
  limit: number,
  scanMax: number = LOG_SCAN_LINES_MAX,
): Promise<LogPage> {
  const isFiltered = filters.level !== undefined || filters.step !== undefined || filters.q !== undefined;
  const end = isFiltered ? await selectScanEnd(db, runId, filters.after, scanMax) : null;
  const rows = await selectLogs(db, runId, filters, limit, end);
  const last = rows.at(-1);
  if (rows.length === limit && last !== undefined)
    return { rows, next: { attempt: last.attempt, seq: last.seq } };
  return { rows, next: end };
}

/** All lines up to `until`, however many are looked at. */
export async function selectLogs(
  db: Kysely<LogSchema>,
  runId: number,
  filters: LogFilters,
  limit: number,
  until: LogPlace | null = null,
): Promise<LogRow[]> {
  const { after } = filters;
  let query = db
    .selectFrom('run_logs')
    .select(['run_id', 'attempt', 'seq', 'at', 'level', 'step_id', 'message', 'fields_json'])
    .where('run_id', '=', runId)
    .where((eb) => eb(eb.refTuple('attempt', 'seq'), '>', eb.tuple(after.attempt, after.seq)))
    .orderBy('attempt')
    .orderBy('seq')
    .limit(limit);
  if (until !== null)
    query = query.where((eb) => eb(eb.refTuple('attempt', 'seq'), '<=', eb.tuple(until.attempt, until.seq)));
  if (filters.level !== undefined) query = query.where('level', '>=', filters.level);
  if (filters.step !== undefined) query = query.where('step_id', '=', filters.step);
  if (filters.q !== undefined) query = query.where(textMatch(sql.ref('message'), filters.q, 'inside'));
  return query.execute();
}

/** The place of the last of the next `scanMax` lines; null where there are fewer. It reads the key alone. */
async function selectScanEnd(
  db: Kysely<LogSchema>,
  runId: number,
  after: LogPlace,
  scanMax: number,
): Promise<LogPlace | null> {
  const place = await db
    .selectFrom('run_logs')
    .select(['attempt', 'seq'])
    .where('run_id', '=', runId)
    .where((eb) => eb(eb.refTuple('attempt', 'seq'), '>', eb.tuple(after.attempt, after.seq)))
    .orderBy('attempt')
    .orderBy('seq')
    .limit(1)
    .offset(scanMax - 1)
    .executeTakeFirst();
  return place ?? null;
}

export interface AttemptCursor extends LogCursor {
  readonly attempt: number;
}

/** What became of the log of each attempt of a run, the first attempt first; those that logged nothing have none. */
export async function selectLogCursors(db: Kysely<LogSchema>, runId: number): Promise<AttemptCursor[]> {
  return db
    .selectFrom('run_log_cursors')
    .select(['attempt', 'acked_seq', 'dropped', 'pruned_seq'])
    .where('run_id', '=', runId)
    .orderBy('attempt')
    .execute();
}

/** Whether logs may be too old or too much: false where that is surely not so. Costs the same however many there are. */
export async function mayHaveDueLogs(
  db: Kysely<LogSchema>,
  { before, bytesMax }: LogRetention,
): Promise<boolean> {
  if (bytesMax > 0) return true;
  const due = await db
    .selectFrom('run_log_cursors')
    .select('run_id')
    .whereRef('pruned_seq', '<', 'acked_seq')
    .where('last_at', '<', before)
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}
