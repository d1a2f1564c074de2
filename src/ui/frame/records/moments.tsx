import type { ReactNode } from 'react';
import { formatDuration, formatValue, momentOf, noValue } from '../../kit/format-value.ts';
import { useNow } from '../../kit/use-now.ts';
import { useCatalogue } from '../../texts/texts-context.tsx';

const relativeMs = 10_000;
const tickMs = 1_000;

/** A time as seen from now, with the exact one on hover. */
export function When({ at }: { readonly at: string | null }): ReactNode {
  const { locale } = useCatalogue();
  const now = useNow(relativeMs);
  if (at === null) return noValue;
  // What has just happened is later than the last tick.
  const ahead = (momentOf(at) ?? now) - now;
  const seen = ahead > 0 && ahead < relativeMs ? now + ahead : now;
  return (
    <time dateTime={at} title={formatValue(at, 'datetime', { locale })}>
      {formatValue(at, 'relative', { locale, now: seen, short: true })}
    </time>
  );
}

/** An exact time, for a text that says since or until when. */
export function Moment({ at }: { readonly at: string }): ReactNode {
  const { locale } = useCatalogue();
  return <time dateTime={at}>{formatValue(at, 'datetime', { locale })}</time>;
}

interface ElapsedProps {
  readonly from: string | null;
  /** Null: it goes on. */
  readonly to: string | null;
}

/** How long something took, or takes so far. */
export function Elapsed({ from, to }: ElapsedProps): ReactNode {
  const { locale } = useCatalogue();
  const now = useNow(to === null ? tickMs : null);
  const begin = momentOf(from);
  if (begin === null) return noValue;
  return formatDuration(Math.max(0, (momentOf(to) ?? now) - begin) / 1_000, locale);
}
