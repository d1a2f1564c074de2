import { timestamp } from '../../base/clock.ts';
import { logLevelName } from '../../base/run-report.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { LogRow } from './run-log-store.ts';

/** A line as the API shows it. */
export function toLogLine(row: LogRow) {
  const fields =
    row.fields_json === null ? null : (parseJsonText(row.fields_json) as Record<string, unknown>);
  return { ...withoutFields(row), fields };
}

/** The same as JSON: the fields are the text that the runner made. */
export function logLineJson(row: LogRow): string {
  return `${JSON.stringify(withoutFields(row)).slice(0, -1)},"fields":${row.fields_json}}`;
}

function withoutFields(row: LogRow) {
  return {
    attempt: row.attempt,
    seq: row.seq,
    at: timestamp(row.at),
    level: logLevelName(row.level),
    step_id: row.step_id === '' ? null : row.step_id,
    message: row.message,
  };
}
