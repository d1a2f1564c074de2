import { type Kysely, sql } from 'kysely';
import type { LogSchema } from '../../store/schema.ts';
import type { LogRow } from './run-log.ts';

export interface LogFilters {
  /** Lines after this place; attempts count first. */
  readonly after: { readonly attempt: number; readonly seq: number };
  /** This level and those above. */
  readonly level?: number | undefined;
  readonly step?: string | undefined;
  readonly q?: string | undefined;
}

/** Lines in the order they were written: by attempt, then seq. */
export async function selectLogs(
  db: Kysely<LogSchema>,
  runId: number,
  filters: LogFilters,
  limit: number,
): Promise<LogRow[]> {
  const { attempt, seq } = filters.after;
  let query = db
    .selectFrom('run_logs')
    .selectAll()
    .where('run_id', '=', runId)
    .where((eb) => eb(eb.refTuple('attempt', 'seq'), '>', eb.tuple(attempt, seq)))
    .orderBy('attempt')
    .orderBy('seq')
    .limit(limit);
  if (filters.level !== undefined) query = query.where('level', '>=', filters.level);
  if (filters.step !== undefined) query = query.where('step_id', '=', filters.step);
  if (filters.q !== undefined) query = query.where(containing(filters.q));
  return query.execute();
}

/** Lines whose message has `text`, whatever its case; what LIKE gives a meaning to stands for itself. */
function containing(text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(message) like lower(${pattern}) escape '\\'`;
}

/** How far the log of an attempt is durable; 0 before its first line. */
export async function selectAckedSeq(db: Kysely<LogSchema>, runId: number, attempt: number): Promise<number> {
  const row = await db
    .selectFrom('run_log_cursors')
    .select('acked_seq')
    .where('run_id', '=', runId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return row?.acked_seq ?? 0;
}
