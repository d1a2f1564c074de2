import type { ReactNode } from 'react';
import { toneOf } from '../../kit/widget/widget-config.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** The state of a run in words and in its colour. */
export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  const { statuses } = useTexts().runs;
  const text = Object.hasOwn(statuses, status) ? statuses[status as keyof typeof statuses] : status;
  return (
    <span className="status" data-tone={toneOf(status)} data-status={status}>
      {text}
    </span>
  );
}
