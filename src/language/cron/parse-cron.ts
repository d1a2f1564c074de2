import { Cron } from 'croner';

/** A checked cron expression. */
export interface CronSchedule {
  readonly source: string;
  /** True where the hour field names every hour (`*`): such a schedule follows real hours, not the digits on the clock. */
  readonly everyHour: boolean;
  /** The next matching wall time (milliseconds, as if in UTC) after another, or null. */
  nextWall(afterWall: number): number | null;
}

export type ParsedCron =
  | { readonly ok: true; readonly cron: CronSchedule }
  | { readonly ok: false; readonly problem: string };

const EXPRESSION_CHARS_MAX = 200;

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/**
 * Reads minute, hour, day of month, month and day of week (names, lists, ranges, steps, `L`, `W` and `#` as croner has them;
 * where both days are given, either matches), or a nickname such as `@daily`. An expression that never comes is a problem.
 */
export function parseCron(expression: string): ParsedCron {
  const source = expression.trim();
  if (source.length > EXPRESSION_CHARS_MAX) {
    return refuse(`A cron expression has at most ${EXPRESSION_CHARS_MAX} characters`);
  }
  if (source.startsWith('@') && !NICKNAMES.has(source.toLowerCase())) {
    return refuse(`Unknown nickname "${source}"; use one of ${[...NICKNAMES.keys()].join(', ')}`);
  }
  const pattern = NICKNAMES.get(source.toLowerCase()) ?? source;
  const fields = pattern.split(/\s+/);
  if (fields.length !== 5) {
    const wanted = 'minute, hour, day of month, month, day of week';
    return refuse(`"${source}" must have five fields (${wanted}), not ${source === '' ? 0 : fields.length}`);
  }
  let croner: Cron;
  try {
    // The zone is ours to apply: croner sees digits of a wall clock that is never set. (With `timezone: 'UTC'` it formats each date.)
    croner = new Cron(fields.join(' '), { utcOffset: 0, paused: true, mode: '5-part' });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return refuse(`"${source}" is not a cron expression: ${reason}`);
  }
  const nextWall = (afterWall: number) => croner.nextRun(new Date(afterWall))?.getTime() ?? null;
  if (nextWall(Date.UTC(2024, 0, 1)) === null)
    return refuse(`"${source}" never occurs: there is no such day`);
  return { ok: true, cron: { source, everyHour: namesEveryHour(fields[1] ?? ''), nextWall } };
}

function refuse(problem: string): ParsedCron {
  return { ok: false, problem };
}

function namesEveryHour(field: string): boolean {
  const hours = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [first = '', last = first] = range === '*' || range === '?' ? ['0', '23'] : range.split('-');
    for (let hour = Number(first); hour <= Number(last); hour += Number(step)) hours.add(hour);
  }
  return hours.size === 24;
}
