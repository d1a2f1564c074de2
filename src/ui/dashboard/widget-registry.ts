import { BarChartWidget, LineChartWidget } from '../charts/cartesian-widget.tsx';
import { PieChartWidget } from '../charts/pie-widget.tsx';
import type { WidgetBody } from '../kit/widget/widget-body.ts';
import { PeopleWidget } from '../widgets/people-widget.tsx';
import { ProgressWidget } from '../widgets/progress-widget.tsx';
import { StatWidget } from '../widgets/stat-widget.tsx';
import { StepsWidget } from '../widgets/steps-widget.tsx';
import { TableWidget } from '../widgets/table-widget.tsx';
import { TaskProgressWidget } from '../widgets/task-progress-widget.tsx';

/** The component of each widget type in the main chunk. */
const widgetBodies: ReadonlyMap<string, WidgetBody> = new Map<string, WidgetBody>([
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

/** The types whose components are loaded on demand. */
const inputTypes: ReadonlySet<string> = new Set(['form', 'field_mapping', 'action', 'explorer']);

/** Whether a type loads data and can be shown. Headings load none; unknown types are shown as not available. */
export function hasBody(type: string): boolean {
  return widgetBodies.has(type) || inputTypes.has(type);
}

/** The query for a type's component, which is available at once or loaded on demand; a failed download is retried. */
export function bodyQuery(type: string) {
  const ready = widgetBodies.get(type);
  return {
    queryKey: ['body', type],
    // A bare function as initial data would be called, so it is wrapped in an object.
    queryFn: async () => ({ Body: (await import('./input-bodies.ts')).inputBodies.get(type) }),
    ...(ready && { initialData: { Body: ready } }),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  } as const;
}

/** Whether a widget needs the charting library, which is loaded on demand. */
export function isChart(type: string): boolean {
  return type === 'bar_chart' || type === 'line_chart';
}
