import { LOG_LEVELS, type LogLevel, logLevelName } from '../../src/base/run-report.ts';
import type { LogLine } from '../../src/protocol/control-plane.ts';

/** A log line as people read it, and as the HTTP binding has it: its level by name, its fields as a value. */
export interface ReadableLine {
  readonly at: number;
  readonly level: LogLevel;
  readonly step_id: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | null;
}

export function toLine({ level, fields, ...line }: ReadableLine): LogLine {
  return { ...line, level: LOG_LEVELS[level], fields_json: fields === null ? '' : JSON.stringify(fields) };
}

export function readableLine({ level, fields_json, ...line }: LogLine): ReadableLine {
  return {
    ...line,
    level: logLevelName(level),
    fields: fields_json === '' ? null : JSON.parse(fields_json),
  };
}
