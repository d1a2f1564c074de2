/** What one benchmark measures: the product's way and its limit, on the same input. */
export interface Figure {
  readonly name: string;
  /** Of both values, such as `rows/s`. */
  readonly unit: string;
  readonly rounds?: number;
  /** Each runs once and gives its value. `null`: there is no limit to compare with. */
  readonly product: () => Promise<number>;
  readonly limit: (() => Promise<number>) | null;
  /** Resident memory to report, in MB; the highest of this process during the first product run when left out. */
  readonly rssMb?: () => number;
}

const ROUNDS = 3;

/** Runs product and limit in turns and prints the line `name value unit limit ratio rss` with their medians. */
export async function measure(figure: Figure): Promise<void> {
  const values: number[] = [];
  const limits: number[] = [];
  let rssMb: number | undefined;
  for (let round = 0; round < (figure.rounds ?? ROUNDS); round++) {
    values.push(await figure.product());
    rssMb ??= figure.rssMb?.() ?? process.resourceUsage().maxRSS / 1_024;
    if (figure.limit !== null) limits.push(await figure.limit());
  }
  const value = median(values);
  const limit = figure.limit === null ? null : median(limits);
  const ratio = limit === null ? '-' : (value / limit).toFixed(2);
  console.log(
    `${figure.name} ${short(value)} ${figure.unit} ${limit === null ? '-' : short(limit)} ${ratio} ${Math.round(rssMb ?? 0)}MB`,
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

/** Seconds that it takes. */
export async function secondsOf(work: () => Promise<unknown> | unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/** Milliseconds that one of so many runs takes, one after another. */
export async function millisecondsPer(runs: number, work: () => Promise<unknown> | unknown): Promise<number> {
  const seconds = await secondsOf(async () => {
    for (let run = 0; run < runs; run++) await work();
  });
  return (1_000 * seconds) / runs;
}

/** The value that this share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
