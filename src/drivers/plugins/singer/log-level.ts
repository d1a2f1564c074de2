import { isRecord } from '../../../base/json.ts';

const LEVEL = 'CRITICAL|FATAL|ERROR|WARNING|WARN|INFO|DEBUG';
/** `time=2026-01-31 10:00:00 name=tap level=INFO message=…`. */
const NAMED = new RegExp(`\\blevel=(${LEVEL})\\b`, 'i');
/** `INFO …`, `2026-01-31 10:00:00,000 | INFO | …`, `[ERROR] …`. */
const FIRST = new RegExp(`^[\\d\\s:.,+|TZ[\\]-]*(${LEVEL})\\b`);

/** The level of a line that a tap or a target logs, in the forms that their libraries write; INFO where it has none. */
export function singerLogLevel(line: string): string {
  if (line.startsWith('{')) return levelIn(line);
  if (line.startsWith('Traceback (')) return 'ERROR';
  return (NAMED.exec(line) ?? FIRST.exec(line))?.[1] ?? 'INFO';
}

function levelIn(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return String(value['level'] ?? value['levelname'] ?? 'INFO');
  } catch {
    // It only begins like JSON.
  }
  return 'INFO';
}
