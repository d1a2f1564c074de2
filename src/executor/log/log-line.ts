import { LOG_LEVELS, type LogLevel } from '../../base/run-report.ts';
import type { Redactor } from '../../base/text/redactor.ts';
import type { LogLine } from '../../protocol/control-plane.ts';

/** Bytes that a line takes beside its message and fields, at most. */
const LINE_OVERHEAD_BYTES = 300;
/** Room that is left to a message whose fields were too long. */
const MESSAGE_BYTES_MIN = 200;
const STEP_ID_CHARS_MAX = 200;

/** What is logged, as it is said. */
export interface LogEntry {
  readonly at: number;
  readonly level: LogLevel;
  /** Empty for the task itself. */
  readonly stepId: string;
  readonly message: string;
  readonly fields?: unknown;
}

/** JSON of a value, empty where there is none; what JSON cannot hold is described in its place. */
export function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  try {
    return (
      JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item)) ?? ''
    );
  } catch {
    return '{"unreadable":true}';
  }
}

/**
 * The line in the form in which it travels, the only place where it is made: without secrets, then cut to about `bytesMax` bytes,
 * and well-formed. Fields that are too long give way to a note of their size, and a message that is too long ends in one.
 */
export function logLineOf(entry: LogEntry, bytesMax: number, redactor: Redactor | null = null): LogLine {
  const json = jsonText(entry.fields);
  const fields = redactor === null || json === '' ? json : redactor.json(json);
  const message = redactor === null ? entry.message : redactor.text(entry.message);
  const roomBytes = Math.max(MESSAGE_BYTES_MIN, bytesMax - LINE_OVERHEAD_BYTES);
  const fieldBytes = Buffer.byteLength(fields);
  const fits = Buffer.byteLength(message) + fieldBytes <= roomBytes;
  const keepsFields = fits || fieldBytes <= roomBytes - MESSAGE_BYTES_MIN;
  return {
    at: entry.at,
    level: LOG_LEVELS[entry.level],
    step_id: entry.stepId.slice(0, STEP_ID_CHARS_MAX),
    message: fits ? message.toWellFormed() : cutText(message, roomBytes - (keepsFields ? fieldBytes : 0)),
    fields_json: keepsFields ? fields : JSON.stringify({ cut: true, bytes: fieldBytes }),
  };
}

/** Text in at most `bytesMax` bytes of UTF-8, and a note where something was cut. */
export function cutText(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text.toWellFormed();
  const bytes = Buffer.byteLength(text);
  if (bytes <= bytesMax) return text.toWellFormed();
  const note = `… (cut: ${bytes} bytes)`;
  const kept = Buffer.from(text.slice(0, bytesMax)).subarray(0, bytesMax - Buffer.byteLength(note));
  // The cut may have gone through a character; its rest decodes to the replacement character.
  return `${kept.toString().replace(/\uFFFD$/, '')}${note}`;
}
