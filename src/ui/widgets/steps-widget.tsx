import type { ReactNode } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { Icon } from '../kit/icon.tsx';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { listOf, objectOf, toneOf } from '../kit/widget/widget-config.ts';
import { useWords } from '../texts/words-context.ts';

interface Step {
  readonly key?: string | null;
  readonly label?: string | null;
  readonly state?: string | null;
  readonly detail?: string | null;
}

/** A process as a row of steps, or as a column if there is no room for a row. */
export function StepsWidget({ data }: WidgetBodyProps): ReactNode {
  const words = useWords();
  const steps = listOf(
    objectOf<{ steps: readonly Step[] }>(data, 'a list of steps').steps,
    'a list of steps',
  );
  if (steps.length === 0) return <EmptyState>{words.noSteps}</EmptyState>;
  return (
    <ol className="steps">
      {steps.map((step, index) => {
        const tone = toneOf(step.state);
        return (
          <li
            key={step.key ?? String(index)}
            data-tone={tone}
            aria-current={tone === 'info' ? 'step' : undefined}
          >
            <span className="step-mark">
              {tone === 'success' ? (
                <Icon name="check" size={14} />
              ) : tone === 'danger' ? (
                <Icon name="x" size={14} />
              ) : (
                <span aria-hidden="true">{index + 1}</span>
              )}
            </span>
            <span className="step-text">
              <span className="step-label">{step.label ?? step.key}</span>
              {step.detail && <span className="step-detail">{step.detail}</span>}
              <span className="visually-hidden"> ({words.status(step.state ?? 'pending')})</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
