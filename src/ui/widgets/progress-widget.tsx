import type { ReactNode } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatValue } from '../kit/format-value.ts';
import { ProgressBar } from '../kit/progress-bar.tsx';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { formatOf, objectOf } from '../kit/widget/widget-config.ts';
import { useWords } from '../texts/words-context.ts';

interface ProgressPayload {
  readonly current: number | null;
  readonly total: number | null;
  readonly ratio: number | null;
}

/** The progress of something: the ratio as a number and a bar, and the two counts. */
export function ProgressWidget({ data, config, title }: WidgetBodyProps): ReactNode {
  const words = useWords();
  const { current, total, ratio } = objectOf<ProgressPayload>(data, 'a current value and a total');
  if (typeof current !== 'number') return <EmptyState>{words.noDataYet}</EmptyState>;
  const share = typeof ratio === 'number' ? ratio : total ? current / total : null;
  const format = formatOf(config);
  return (
    <div className="progress">
      <p className="progress-numbers">
        <strong>{share === null ? formatValue(current, format) : formatValue(share, 'percent')}</strong>
        <span>{words.progressOf(formatValue(current, format), formatValue(total, format))}</span>
      </p>
      <ProgressBar label={title} ratio={share} />
    </div>
  );
}
