import type { SoakSample } from './soak-sample.ts';

interface Bound {
  readonly pattern: RegExp;
  /** What the measure may grow by, a minute or a run. */
  readonly most: number;
  readonly per: 'minute' | 'run';
  /** It may fill up to here first. */
  readonly level?: number;
}

/** The first that fits a measure holds for it; one that fits none is shown and not judged. */
const bounds: readonly Bound[] = [
  // V8 and the page caches of SQLite (`SVC_SQLITE_CACHE_MB`) are still filling a little; 2 MB a minute is 2.9 GB a day, no cache.
  { pattern: /^(control-plane|worker-host|executor) anon MB$/, most: 2, per: 'minute' },
  // A thread of a pool and a connection kept alive come and go. What leaks one a run or a follower leaks a hundred a minute.
  { pattern: /descriptors$/, most: 2, per: 'minute' },
  { pattern: /threads$/, most: 0.5, per: 'minute' },
  // One for each of the two slots, and one that gets ready.
  { pattern: /^runner processes$/, most: 0.5, per: 'minute', level: 3 },
  { pattern: /processes$/, most: 0.5, per: 'minute' },
  // A WAL fills up to where it is checkpointed (16 MB for logs, 4 MB for others, and a transaction more), then begins anew.
  { pattern: /^state-logs\.db-wal MB$/, most: 0.5, per: 'minute', level: 18 },
  { pattern: /-wal MB$/, most: 0.5, per: 'minute', level: 5 },
  // The control plane's JavaScript objects that outlived two collections; sawteeth of a few MB are usual.
  { pattern: /^control-plane old space MB$/, most: 1, per: 'minute' },
  // Routes and status codes that were not used before add lines; runs, followers and requests must not.
  { pattern: /^\/metrics KB$/, most: 1, per: 'minute' },
  // Kept for 730 days: one entry for each start, and the soak's own calls to prune.
  { pattern: / audit_logs rows$/, most: 1.5, per: 'run' },
  // Kept for 7 days, or 30 if failed: one for the end of each run, some for a job that begins to fail or recovers.
  { pattern: / webhook_deliveries rows$/, most: 2, per: 'run' },
  // A run has some forty points, which go with it as its other rows do.
  { pattern: / points rows$/, most: 4, per: 'run' },
  // All else goes with the run that it belongs to, and pruning leaves as many runs as ever.
  { pattern: / rows$/, most: 0.1, per: 'run' },
  // What is kept of each run: an entry of the audit log and a delivery, both with their indexes.
  { pattern: /^state\.db MB$/, most: 0.0015, per: 'run' },
  { pattern: /^(state-logs|metrics)\.db MB$/, most: 0.0005, per: 'run' },
];
const rowsShownMin = 50;

export interface Verdict {
  readonly measure: string;
  readonly first: number;
  readonly last: number;
  /** A minute, by least squares over the second half, and its standard error. */
  readonly slope: number;
  readonly error: number;
  readonly slopePerRun: number;
  /** A minute; null: not judged. */
  readonly bound: number | null;
  /** By more than twice its standard error, and full: what a garbage collection moves is no growth. */
  readonly exceeds: boolean;
}

/** `samples`: in their order, those of the warm-up left out; `halfMinutes`: where the second half of the soak begins. */
export function judge(samples: readonly SoakSample[], halfMinutes: number): Verdict[] {
  const late = samples.filter(({ minutes }) => minutes >= halfMinutes);
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || late.length < 3)
    throw new Error(`${late.length} samples in the second half are too few for a slope`);
  const runsPerMinute = slopeOf(late.map(({ minutes, runsStarted }) => [minutes, runsStarted])).slope;
  const names = [...new Set(samples.flatMap(({ measures }) => [...measures.keys()]))].sort();
  return names.map((measure) => {
    const valueAt = ({ measures }: SoakSample) => measures.get(measure) ?? 0;
    const { slope, error } = slopeOf(late.map((sample) => [sample.minutes, valueAt(sample)]));
    const found = bounds.find(({ pattern }) => pattern.test(measure));
    const bound = found === undefined ? null : found.most * (found.per === 'run' ? runsPerMinute : 1);
    const full = valueAt(last) > (found?.level ?? 0);
    const exceeds = bound !== null && full && slope - 2 * error > bound;
    const slopePerRun = slope / runsPerMinute;
    return { measure, first: valueAt(first), last: valueAt(last), slope, error, slopePerRun, bound, exceeds };
  });
}

/** Least squares through `[x, y]`. */
function slopeOf(points: readonly (readonly [number, number])[]): { slope: number; error: number } {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) };
}

/** For people; tables with few rows that stay few are left out. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const rows = verdicts
    .filter(({ measure, last, exceeds }) => exceeds || !measure.endsWith(' rows') || last >= rowsShownMin)
    .map((verdict) => [
      verdict.measure,
      verdict.first.toFixed(1),
      verdict.last.toFixed(1),
      `${verdict.slope.toFixed(2)} ±${verdict.error.toFixed(2)}`,
      verdict.slopePerRun.toFixed(4),
      verdict.bound?.toFixed(2) ?? '-',
    ]);
  const head = ['measure', 'first', 'last', 'slope/min', 'a run', 'bound/min'];
  const widths = head.map((cell, index) =>
    Math.max(cell.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ');
  return [head, ...rows].map(line).join('\n');
}
