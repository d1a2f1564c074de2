import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { asFigure, ListHead } from '../../../frame/records/list-head.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { formatDuration, formatValue, noValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { isItem } from './item-section.tsx';

export type RunStep = components['schemas']['RunStep'];
type Progress = components['schemas']['Run']['progress'];

const stepsMax = 200;
const refreshMs = 3_000;
const cursorCharsMax = 60;

/** The steps of a run's last attempt that ended. */
export function useSteps(id: number, active: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: ['run', id, 'steps'],
    queryFn: ({ signal }) =>
      api.GET('/api/runs/{id}/steps', { params: { path: { id }, query: { limit: stepsMax } }, signal }),
    select: ({ result }) => result,
    refetchInterval: active ? refreshMs : false,
  });
}

interface StepSectionProps {
  readonly steps: ReturnType<typeof useSteps>;
  /** Of the step that runs now; null where none does. */
  readonly progress: Progress;
}

/** What each step took in and gave on, and how fast. */
export function StepSection({ steps, progress }: StepSectionProps): ReactNode {
  const { run } = useCatalogue().texts;
  return (
    <section className="panel" aria-labelledby="run-steps">
      <h2 id="run-steps">{run.steps}</h2>
      {progress !== null && <ProgressNote progress={progress} />}
      <Loaded query={steps} lines={3}>
        {(records) => {
          const steps = records.filter((step) => !isItem(step));
          if (steps.length > 0) return <StepTable steps={steps} />;
          return progress === null && <EmptyState>{run.noSteps}</EmptyState>;
        }}
      </Loaded>
    </section>
  );
}

function ProgressNote({ progress }: { readonly progress: NonNullable<Progress> }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { run } = texts;
  const number = (value: number) => formatValue(value, 'integer', { locale });
  return (
    <p className="progress-note">
      <strong>
        {run.now}: {progress.step_id}
      </strong>{' '}
      {run.rowsIn} {number(progress.rows_in)} · {run.rowsOut} {number(progress.rows_out)} · {run.rowsFailed}{' '}
      {number(progress.rows_failed)} · {number(progress.rows_per_second)} {run.rate}
      {progress.ratio !== null && ` · ${formatValue(progress.ratio, 'percent', { locale })}`}
    </p>
  );
}

function StepTable({ steps }: { readonly steps: readonly RunStep[] }): ReactNode {
  const { run, runs } = useCatalogue().texts;
  const numbers = [
    run.rowsIn,
    run.rowsOut,
    run.rowsFailed,
    run.rowsFiltered,
    run.rowsSkipped,
    run.rowsDeleted,
    run.rate,
    run.time,
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a narrow screen
    <section className="scroller" aria-label={run.stepTable} tabIndex={0}>
      <table className="list">
        <ListHead columns={[{ label: run.step }, { label: runs.status }, ...numbers.map(asFigure)]} />
        <tbody>
          {steps.map((step) => (
            <StepRow key={step.step_id} step={step} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function StepRow({ step }: { readonly step: RunStep }): ReactNode {
  const { texts, locale } = useCatalogue();
  const number = (value: number) => formatValue(value, 'integer', { locale });
  const seconds = step.duration_ms / 1_000;
  const rows = Math.max(step.rows_in, step.rows_out);
  const { rows_in, rows_out, rows_failed, rows_filtered, rows_skipped, rows_deleted } = step;
  return (
    <tr>
      <th scope="row">
        {step.step_id} <span className="record-id">{step.kind}</span>
        {step.attempts > 1 && (
          <span className="record-id">
            {' '}
            · {texts.run.attempts}: {step.attempts}
          </span>
        )}
        {step.cursor !== null && (
          <p className="record-id">
            {texts.run.readFromTo(cursorText(step.cursor.from), cursorText(step.cursor.to))}
          </p>
        )}
        {step.error !== null && <p className="record-error">{step.error}</p>}
      </th>
      <td>
        <StatusBadge status={step.status} />
      </td>
      <td data-align="right">{number(rows_in)}</td>
      <td data-align="right">{number(rows_out)}</td>
      <td data-align="right" data-tone={rows_failed > 0 ? 'danger' : undefined}>
        {number(rows_failed)}
      </td>
      <td data-align="right">{number(rows_filtered)}</td>
      <td data-align="right">{number(rows_skipped)}</td>
      <td data-align="right">{number(rows_deleted)}</td>
      <td data-align="right">{seconds > 0 ? number(rows / seconds) : noValue}</td>
      <td data-align="right">{formatDuration(seconds, locale)}</td>
    </tr>
  );
}

/** Null: there is none. A source's own state is too long to be shown as a whole. */
function cursorText(value: unknown): string | null {
  if (value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > cursorCharsMax ? `${text.slice(0, cursorCharsMax)}…` : text;
}
