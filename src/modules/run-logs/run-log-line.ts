import { timestamp } from '../../base/clock.ts';
import { LOG_LEVEL_NAMES } from './run-log.ts';
import type { LogRow } from './run-log-store.ts';

/** A line as the API shows it. */
export function toLogLine(row: LogRow) {
  return {
    attempt: row.attempt,
    seq: row.seq,
    at: timestamp(row.at),
    level: LOG_LEVEL_NAMES[row.level] ?? 'info',
    step_id: row.step_id === '' ? null : row.step_id,
    message: row.message,
    fields: row.fields_json === null ? null : (JSON.parse(row.fields_json) as Record<string, unknown>),
  };
}
