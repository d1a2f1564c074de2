import { type ReactNode, useId } from 'react';

interface OverviewPanelProps {
  readonly title: string;
  /** What is in it, where the title does not say it all. */
  readonly hint?: string;
  /** Where there is more. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

export function OverviewPanel({ title, hint, more, children }: OverviewPanelProps): ReactNode {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      {hint !== undefined && <p className="field-hint">{hint}</p>}
      {children}
    </section>
  );
}
