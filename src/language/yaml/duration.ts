const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** 10 years: what is longer is a mistake. */
const DURATION_MAX_MS = 3_650 * 86_400_000;

/** `30s`, `5m`, `2h`, `1d` or `1.5h` in milliseconds; null for anything else. A bare number has no unit, so it is refused. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)([smhd])$/.exec(text);
  const unit = UNIT_MS[match?.[2] ?? ''];
  if (match === null || unit === undefined) return null;
  const ms = Math.round(Number(match[1]) * unit);
  return ms > DURATION_MAX_MS ? null : ms;
}

/** Milliseconds as a document writes them: in the largest unit that gives a whole number. */
export function durationText(ms: number): string {
  const unit = Object.entries(UNIT_MS).findLast(([, size]) => ms >= size && ms % size === 0);
  return unit === undefined ? `${ms / 1_000}s` : `${ms / unit[1]}${unit[0]}`;
}
