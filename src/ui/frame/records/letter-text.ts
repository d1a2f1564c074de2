import { noValue } from '../../kit/format-value.ts';
import type { Texts } from '../../texts/en/texts.ts';

/** File, line and the like, as far as they are known. */
export function positionOf(
  run: Texts['run'],
  origin: Readonly<Record<string, unknown>> | null,
): string | null {
  if (origin === null) return null;
  const { file, line, record, ...rest } = origin;
  const known = [
    file !== undefined && String(file),
    line !== undefined && run.line(String(line)),
    record !== undefined && line === undefined && run.record(String(record)),
    ...Object.entries(rest).map(([name, value]) => `${name} ${cellText(value)}`),
  ];
  return known.filter((part) => typeof part === 'string').join(', ') || null;
}

/** A value of a row: text as it is, others as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return noValue;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
