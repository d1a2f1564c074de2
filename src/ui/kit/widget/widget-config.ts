/** The presentation keys of a widget, as the dashboard's author wrote them. */
export type WidgetConfig = Readonly<Record<string, unknown>>;

export function textOf(config: WidgetConfig, key: string): string | null {
  const value = config[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The format of numbers as `formatValue` takes it: `format`, with `decimals` after a slash. */
export function formatOf({
  format,
  decimals,
}: {
  readonly format?: unknown;
  readonly decimals?: unknown;
}): string | null {
  const name = typeof format === 'string' ? format : '';
  const written = typeof decimals === 'number' ? `${name}/${decimals}` : name;
  return written === '' ? null : written;
}

export function flagOf(config: WidgetConfig, key: string): boolean {
  return config[key] === true;
}

export function countOf(config: WidgetConfig, key: string, fallback: number): number {
  const value = config[key];
  return typeof value === 'number' && value > 0 ? Math.floor(value) : fallback;
}

/** The objects of a list; empty if there is no such list. */
export function listIn(config: WidgetConfig, key: string): readonly WidgetConfig[] {
  const value = config[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

const tones: ReadonlyMap<string, Tone> = new Map(
  Object.entries<Tone>({
    neutral: 'neutral',
    info: 'info',
    accent: 'info',
    running: 'info',
    active: 'info',
    current: 'info',
    claimed: 'info',
    starting: 'info',
    cancelling: 'warning',
    success: 'success',
    succeeded: 'success',
    completed: 'success',
    complete: 'success',
    done: 'success',
    good: 'success',
    ok: 'success',
    healthy: 'success',
    'on time': 'success',
    warning: 'warning',
    warn: 'warning',
    delayed: 'warning',
    late: 'warning',
    degraded: 'warning',
    danger: 'danger',
    critical: 'danger',
    bad: 'danger',
    error: 'danger',
    failed: 'danger',
    failure: 'danger',
    timed_out: 'danger',
    lost: 'danger',
    diverted: 'danger',
  }),
);

/** The tone of a word such as a status or a threshold's level; neutral for unknown words. */
export function toneOf(word: unknown): Tone {
  return (typeof word === 'string' && tones.get(word.toLowerCase())) || 'neutral';
}

/** The payload has the wrong shape. The card shows the message instead of the content. */
export class PayloadError extends Error {
  readonly expected: string;

  constructor(expected: string) {
    super(`The server sent something other than ${expected}`);
    this.expected = expected;
    this.name = 'PayloadError';
  }
}

/** The payload as an object. Throws a `PayloadError` that names what was expected. */
export function objectOf<T extends object>(data: unknown, expected: string): Partial<T> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new PayloadError(expected);
  return data as Partial<T>;
}

/** A list of the payload; empty if absent. Throws a `PayloadError` if it is something else. */
export function listOf<T>(list: readonly T[] | null | undefined, expected: string): readonly T[] {
  if (list === null || list === undefined) return [];
  if (!Array.isArray(list)) throw new PayloadError(expected);
  return list;
}
