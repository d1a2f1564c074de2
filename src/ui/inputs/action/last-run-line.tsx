import type { ReactNode } from 'react';
import { formatValue } from '../../kit/format-value.ts';
import { useNow } from '../../kit/use-now.ts';
import { toneOf } from '../../kit/widget/widget-config.ts';

const tickMs = 15_000;

export interface LastRun {
  readonly at: string;
  readonly outcome: string;
  /** Of the job run that it has started; null where it has started none. */
  readonly status: string | null;
}

/** When an action was last used, and how that has gone so far. */
export function LastRunLine({ run }: { readonly run: LastRun }): ReactNode {
  const now = useNow(tickMs);
  const status = run.status ?? run.outcome;
  return (
    <p className="last-run">
      <span>
        Last run{' '}
        <time dateTime={run.at} title={formatValue(run.at, 'datetime')}>
          {formatValue(run.at, 'relative', { now: Math.max(now, Date.now()) })}
        </time>
      </span>
      <span className="badge" data-tone={toneOf(status)}>
        {status.replaceAll('_', ' ')}
      </span>
    </p>
  );
}
