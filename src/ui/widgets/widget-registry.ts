import { BarChartWidget, LineChartWidget } from '../charts/cartesian-widget.tsx';
import { PieChartWidget } from '../charts/pie-widget.tsx';
import { PeopleWidget } from './people-widget.tsx';
import { ProgressWidget } from './progress-widget.tsx';
import { StatWidget } from './stat-widget.tsx';
import { StepsWidget } from './steps-widget.tsx';
import { TableWidget } from './table-widget.tsx';
import { TaskProgressWidget } from './task-progress-widget.tsx';
import type { WidgetBody } from './widget-body.ts';

/** The component of each widget type that reads data. A type that is not here is shown as not available. */
export const widgetBodies: ReadonlyMap<string, WidgetBody> = new Map<string, WidgetBody>([
  ['stat', StatWidget],
  ['progress', ProgressWidget],
  ['steps', StepsWidget],
  ['people', PeopleWidget],
  ['bar_chart', BarChartWidget],
  ['line_chart', LineChartWidget],
  ['pie_chart', PieChartWidget],
  ['table', TableWidget],
  ['task_progress', TaskProgressWidget],
]);

/** Whether a widget is drawn by the charting library, which is fetched on demand. */
export function isChart(type: string): boolean {
  return type === 'bar_chart' || type === 'line_chart';
}
