import type { ReactNode } from 'react';

interface ProgressBarProps {
  readonly label: string;
  /** 0 to 1; null if the total is unknown. */
  readonly ratio: number | null;
  readonly tone?: string;
}

export function ProgressBar({ label, ratio, tone }: ProgressBarProps): ReactNode {
  const share = ratio === null ? null : Math.min(Math.max(ratio, 0), 1);
  return (
    <div
      className="bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      data-tone={tone}
      data-unknown={share === null || undefined}
    >
      <span style={share === null ? undefined : { width: `${share * 100}%` }} />
    </div>
  );
}
