import { type ReactNode, useMemo, useState } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatValue } from '../kit/format-value.ts';
import { SafeLink } from '../kit/text/markdown.tsx';
import { safeUrl } from '../kit/text/safe-url.ts';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { flagOf, formatOf, listOf, objectOf, type WidgetConfig } from '../kit/widget/widget-config.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';
import { useWords } from '../texts/words-context.ts';
import { type CartesianData, formatX, seriesColor, summarize, xTypeOf } from './chart-data.ts';
import { ChartFrame } from './chart-frame.tsx';
import { Legend } from './legend.tsx';

interface CartesianPayload {
  readonly x: readonly unknown[];
  readonly links?: readonly unknown[];
  readonly series: readonly { readonly label?: string | null; readonly values?: readonly unknown[] }[];
}

const tableRowsMax = 200;

export function BarChartWidget(props: WidgetBodyProps): ReactNode {
  return <CartesianWidget kind="bar" {...props} />;
}

export function LineChartWidget(props: WidgetBodyProps): ReactNode {
  return <CartesianWidget kind="line" {...props} />;
}

function CartesianWidget({
  kind,
  data,
  config,
  title,
}: WidgetBodyProps & { kind: 'bar' | 'line' }): ReactNode {
  const words = useWords();
  const chart = useMemo(() => readCartesian(kind, data, config, words), [kind, data, config, words]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const drawing = useMemo(() => ({ data: chart, hidden }), [chart, hidden]);
  if (chart.x.length === 0) return <EmptyState>{words.noData}</EmptyState>;
  if (chart.series.every(({ values }) => values.every((value) => value === null))) {
    return <EmptyState>{words.chart.noNumbers}</EmptyState>;
  }
  const toggle = (label: string) => {
    const next = new Set(hidden);
    if (!next.delete(label)) next.add(label);
    setHidden(next);
  };
  return (
    <div className="chart">
      {chart.series.length > 1 && <Legend entries={chart.series} hidden={hidden} onToggle={toggle} />}
      <ChartFrame drawing={drawing} summary={`${title}. ${summarize(chart, words)}`} />
      <ChartTable chart={chart} title={title} />
    </div>
  );
}

/** Checks a chart's payload and combines it with the presentation keys. Throws `PayloadError`. */
function readCartesian(
  kind: 'bar' | 'line',
  data: unknown,
  config: WidgetConfig,
  words: WidgetWords,
): CartesianData {
  const payload = objectOf<CartesianPayload>(data, 'the points of a chart');
  const x = listOf(payload.x, 'a list of points').map((at) =>
    typeof at === 'number' ? at : String(at ?? ''),
  );
  const styles = Array.isArray(config['series']) ? (config['series'] as readonly { color?: unknown }[]) : [];
  return {
    kind,
    x,
    xType: xTypeOf(config['x_type'], x),
    series: listOf(payload.series, 'a list of series').map((series, index) => ({
      label: series.label ?? words.chart.unnamedSeries(index + 1),
      values: listOf(series.values, 'a list of values').map(numberOrNull),
      color: seriesColor(styles[index]?.color, index),
    })),
    stacked: flagOf(config, 'stacked'),
    horizontal: kind === 'bar' && flagOf(config, 'horizontal'),
    area: flagOf(config, 'area'),
    format: formatOf(config),
    links: listOf(payload.links, 'a list of links').map(safeUrl),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The same numbers for screen readers, and the links of the points for the keyboard: it is seen while one of them has the focus. */
function ChartTable({ chart, title }: { readonly chart: CartesianData; readonly title: string }): ReactNode {
  const words = useWords();
  return (
    <div className="visually-hidden chart-table">
      <table>
        <caption>
          {title}
          {chart.x.length > tableRowsMax && words.chart.lastPoints(tableRowsMax, chart.x.length)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{words.chart.point}</th>
            {chart.series.map((series) => (
              <th key={series.label} scope="col">
                {series.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chart.x.map((x, at) =>
            at < chart.x.length - tableRowsMax ? null : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place
              <tr key={at}>
                <th scope="row">
                  <PointLabel href={chart.links[at] ?? null}>{formatX(x, chart.xType)}</PointLabel>
                </th>
                {chart.series.map((series) => (
                  <td key={series.label}>{formatValue(series.values[at], chart.format)}</td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function PointLabel({
  href,
  children,
}: {
  readonly href: string | null;
  readonly children: string;
}): ReactNode {
  return href === null ? children : <SafeLink href={href}>{children}</SafeLink>;
}
