import { type ReactNode, useMemo } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { BarChartWidget } from '../../../charts/cartesian-widget.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import '../../../styles/charts.css';

type Point = components['schemas']['MetricsTimeseries']['points'][number];

const dayMs = 86_400_000;
const millisInSecond = 1_000;
/** Success and error, legible in both themes. */
const outcomeColors = [{ color: '#3f9a78' }, { color: '#d0483e' }];

interface DayChartsProps {
  readonly points: readonly Point[];
  /** How many days are drawn, up to today. */
  readonly days: number;
}

/** Runs, durations and rows per day. A day without runs has its place, and no duration. */
export function DayCharts({ points, days }: DayChartsProps): ReactNode {
  const { metrics } = useTexts();
  const drawn = useMemo(() => {
    const known = new Map(points.map((point) => [point.day, point]));
    const x = lastDays(days);
    const values = (of: (point: Point) => number, missing: number | null) =>
      x.map((day) => {
        const point = known.get(day);
        return point === undefined ? missing : of(point);
      });
    return {
      runs: {
        x,
        series: [
          { label: metrics.succeeded, values: values(({ success }) => success, 0) },
          { label: metrics.failed, values: values(({ error }) => error, 0) },
        ],
      },
      duration: {
        x,
        series: [
          {
            label: metrics.durationPerDay,
            values: values(({ avg_duration_ms: ms }) => ms / millisInSecond, null),
          },
        ],
      },
      rows: {
        x,
        series: [{ label: metrics.rowsPerDay, values: values(({ total_items: rows }) => rows, 0) }],
      },
    };
  }, [points, days, metrics]);
  return (
    <div className="measured-charts">
      <Chart title={metrics.runsPerDay} data={drawn.runs} config={runsConfig} />
      <Chart title={metrics.durationPerDay} data={drawn.duration} config={durationConfig} />
      <Chart title={metrics.rowsPerDay} data={drawn.rows} config={rowsConfig} />
    </div>
  );
}

const runsConfig = { stacked: true, format: 'integer', series: outcomeColors };
const durationConfig = { format: 'duration' };
const rowsConfig = { format: 'integer' };

interface ChartProps {
  readonly title: string;
  readonly data: object;
  readonly config: Readonly<Record<string, unknown>>;
}

function Chart({ title, data, config }: ChartProps): ReactNode {
  return (
    <section className="measured-chart" aria-label={title}>
      <h3>{title}</h3>
      <BarChartWidget widgetId={title} data={data} updatedAt={0} config={config} title={title} hasTitle />
    </section>
  );
}

/** The days up to today, in UTC. */
function lastDays(count: number): readonly string[] {
  const today = Date.now();
  return Array.from({ length: count }, (_, at) =>
    new Date(today - (count - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
}
