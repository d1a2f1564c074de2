import type { LogLine } from '../../protocol/control-plane.ts';

/** Bytes that a line takes beside its message and fields, at most. */
const LINE_OVERHEAD_BYTES = 300;

/** Room that is left to a message whose fields were too long. */
const MESSAGE_BYTES_MIN = 200;

/** JSON of a value, or null where there is none; what JSON cannot hold is told in its place. */
export function fieldsJson(fields: unknown): string | null {
  if (fields === null || fields === undefined) return null;
  try {
    return (
      JSON.stringify(fields, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ??
      null
    );
  } catch {
    return '{"unreadable":true}';
  }
}

/**
 * The line in at most about `bytesMax` bytes, and well-formed: too long fields give way to a note of their size, and a
 * too long message ends in one.
 */
export function cutLine(line: LogLine, bytesMax: number): LogLine {
  const roomBytes = Math.max(MESSAGE_BYTES_MIN, bytesMax - LINE_OVERHEAD_BYTES);
  const json = fieldsJson(line.fields);
  const fieldBytes = json === null ? 0 : Buffer.byteLength(json);
  const fits = Buffer.byteLength(line.message) + fieldBytes <= roomBytes;
  const short = fits || fieldBytes <= roomBytes - MESSAGE_BYTES_MIN;
  const fields = json === null ? null : short ? JSON.parse(json) : { cut: true, bytes: fieldBytes };
  const left = fits ? roomBytes : roomBytes - (short ? fieldBytes : 0);
  return { ...line, step_id: line.step_id.slice(0, 200), message: cutText(line.message, left), fields };
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
