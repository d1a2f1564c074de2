import type { LogLevel, Loss } from '../../../base/run-report.ts';
import { formatCount } from '../../../base/text/format-figures.ts';
import type { Committed } from '../../../drivers/load-request.ts';

/** What the target of a load does not have. */
export function lossesOf(
  object: string,
  { lossy = new Map(), dropped = 0 }: Pick<Committed, 'lossy' | 'dropped'>,
): readonly Loss[] {
  return [
    ...Array.from(lossy, ([column, count]) => ({ object, column, count })),
    { object, column: null, count: dropped },
  ].filter(({ count }) => count > 0);
}

/** A sentence for each loss that `lossy` has let a load have, and for the rows that the target dropped. */
export function logLosses(
  object: string,
  { lossy = new Map(), dropped = 0 }: Pick<Committed, 'lossy' | 'dropped'>,
  log: (level: LogLevel, message: string) => void,
): void {
  for (const [column, count] of lossy) {
    const values = count === 1 ? 'one value' : `${formatCount(count)} values`;
    if (count > 0)
      log('warn', `"${column}" of "${object}" holds ${values} with less than came, as "lossy" allows`);
  }
  const rows = dropped === 1 ? 'one row' : `${formatCount(dropped)} rows`;
  if (dropped > 0) log('warn', `"${object}" dropped ${rows} by itself, such as by a trigger`);
}
