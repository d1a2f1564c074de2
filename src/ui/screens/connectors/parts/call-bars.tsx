import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';

const height = 72;
/** Of the place of one bar, the rest is the gap. */
const barShare = 0.7;
/** What there is at all is seen. */
const barMin = 2;

interface CallBarsProps {
  readonly buckets: readonly { readonly at: string; readonly calls: number; readonly errors: number }[];
  /** What the bars show, in words. */
  readonly label: string;
}

/** Calls over time as bars, with the failed ones at their feet. */
export function CallBars({ buckets, label }: CallBarsProps): ReactNode {
  const { health } = useTexts().connectors;
  const most = Math.max(1, ...buckets.map(({ calls }) => calls));
  const barOf = (count: number) => (count === 0 ? 0 : Math.max(barMin, (count / most) * height));
  return (
    <svg
      className="call-bars"
      viewBox={`0 0 ${buckets.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {buckets.map(({ at, calls, errors }, place) => (
        <g key={at}>
          {(['calls', 'errors'] as const).map((name) => {
            const size = barOf(name === 'calls' ? calls : errors);
            return (
              <rect key={name} className={name} x={place} y={height - size} width={barShare} height={size}>
                <title>{`${health[name]}: ${name === 'calls' ? calls : errors}`}</title>
              </rect>
            );
          })}
        </g>
      ))}
    </svg>
  );
}
