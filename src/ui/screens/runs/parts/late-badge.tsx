import type { ReactNode } from 'react';
import { formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';

interface LateBadgeProps {
  readonly jobRun: { readonly late_at: string | null; readonly sla_at: string | null };
}

/** That a job run did not succeed within its SLA; nothing for one that is not late. On hover, when it should have. */
export function LateBadge({ jobRun }: LateBadgeProps): ReactNode {
  const { texts, locale } = useCatalogue();
  const { late_at, sla_at } = jobRun;
  if (late_at === null) return null;
  const due = formatValue(sla_at, 'datetime', { locale });
  return (
    <span className="status" data-tone="warning" data-status="late" title={texts.runs.slaAt(due)}>
      {texts.runs.late}
    </span>
  );
}
