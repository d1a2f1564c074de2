import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';

interface ProblemsProps {
  readonly id: string;
  readonly problems: readonly string[];
  /** Shown while there are no problems. */
  readonly hint?: string | null;
}

/** The problems with a control. It is rendered even if empty, so that the control's `aria-describedby` is always valid. */
export function Problems({ id, problems, hint = null }: ProblemsProps): ReactNode {
  return (
    <div id={id} className="field-problems">
      {problems.map((problem) => (
        <p key={problem}>
          <Icon name="alert" size={14} />
          {problem}
        </p>
      ))}
      {hint !== null && problems.length === 0 && <p data-tone="warning">{hint}</p>}
    </div>
  );
}
