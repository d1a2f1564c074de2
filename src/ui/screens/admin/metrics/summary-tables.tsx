import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { formatDuration, formatValue, noValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';

type Summary = components['schemas']['MetricsSummary'];

const millisInSecond = 1_000;

/** How figures are written here. */
function useFigures() {
  const { locale, texts } = useCatalogue();
  return {
    texts,
    count: (value: number) => formatValue(value, 'integer', { locale }),
    duration: (ms: number | null) => (ms === null ? noValue : formatDuration(ms / millisInSecond, locale)),
  };
}

/** The whole time in figures, then its steps and connectors. */
export function SummaryTables({ summary }: { readonly summary: Summary }): ReactNode {
  const { texts, count, duration } = useFigures();
  const { metrics, runs } = texts;
  const { totals, durations, steps, connectors } = summary;
  const figures = [
    [metrics.runsPerDay, count(totals.runs)],
    [runs.statuses.success, count(totals.success)],
    [runs.statuses.warning, count(totals.warning)],
    [runs.statuses.error, count(totals.error)],
    [metrics.rows, count(totals.items)],
    [metrics.average, duration(durations.avg)],
    [metrics.median, duration(durations.p50)],
    [metrics.p95, duration(durations.p95)],
    [metrics.longest, duration(durations.max)],
  ] as const;
  return (
    <>
      <dl className="figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {steps.length > 0 && <StepTable steps={steps} />}
      {connectors.length > 0 && <ConnectorTable connectors={connectors} />}
    </>
  );
}

function StepTable({ steps }: Pick<Summary, 'steps'>): ReactNode {
  const { texts, count, duration } = useFigures();
  const { metrics } = texts;
  const figure = { isFigure: true };
  const wide = { isFigure: true, isWide: true };
  return (
    <section aria-label={metrics.steps}>
      <h3>{metrics.steps}</h3>
      <table className="list run-list">
        <ListHead
          columns={[
            { label: metrics.step },
            { label: metrics.executions, ...wide },
            { label: metrics.average, ...wide },
            { label: metrics.longest, ...wide },
            { label: metrics.rowsIn, ...wide },
            { label: metrics.rowsOut, ...figure },
            { label: metrics.errors, ...figure },
          ]}
        />
        <tbody>
          {steps.map((step) => (
            <tr key={step.step}>
              <td>
                {step.step} <span className="record-id">{step.kind}</span>
              </td>
              <Figure value={count(step.executions)} isWide />
              <Figure value={duration(step.avg_duration_ms)} isWide />
              <Figure value={duration(step.max_duration_ms)} isWide />
              <Figure value={count(step.rows_in)} isWide />
              <Figure value={count(step.rows_out)} />
              <Figure value={count(step.errors)} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ConnectorTable({ connectors }: Pick<Summary, 'connectors'>): ReactNode {
  const { texts, count, duration } = useFigures();
  const { metrics } = texts;
  return (
    <section aria-label={metrics.connectors}>
      <h3>{metrics.connectors}</h3>
      <table className="list run-list">
        <ListHead
          columns={[
            { label: metrics.connector },
            { label: metrics.calls, isFigure: true },
            { label: metrics.perCall, isFigure: true },
            { label: metrics.errors, isFigure: true },
          ]}
        />
        <tbody>
          {connectors.map((one) => (
            <tr key={one.connector}>
              <td>
                {one.connector} <span className="record-id">{one.type}</span>
              </td>
              <Figure value={count(one.calls)} />
              <Figure value={duration(one.avg_call_ms)} />
              <Figure value={count(one.errors)} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Figure({ value, isWide = false }: { readonly value: string; readonly isWide?: boolean }): ReactNode {
  return (
    <td className={isWide ? 'wide-only' : undefined} data-align="right">
      {value}
    </td>
  );
}
