import type { Scope } from '../../expression/expression.ts';
import { pieChartWidget } from './charts/pie-chart-widget.ts';
import { progressWidget } from './charts/progress-widget.ts';
import { barChartWidget, lineChartWidget } from './charts/series-charts.ts';
import { statWidget } from './charts/stat-widget.ts';
import type { CompiledExpressions } from './compiled-expressions.ts';
import { headingWidget } from './heading-widget.ts';
import { actionWidget } from './inputs/action-widget.ts';
import { fieldMappingWidget } from './inputs/field-mapping-widget.ts';
import { formWidget } from './inputs/form-widget.ts';
import { peopleWidget } from './people-widget.ts';
import { explorerWidget } from './rows/explorer-widget.ts';
import { tableWidget } from './rows/table-widget.ts';
import { stepsWidget } from './steps-widget.ts';
import { taskProgressWidget } from './task-progress-widget.ts';
import type { WidgetBase, WidgetKind } from './widget-kind.ts';

/** Every type of widget, in the order in which messages and schemas name them. */
const KINDS = [
  headingWidget,
  statWidget,
  progressWidget,
  stepsWidget,
  peopleWidget,
  barChartWidget,
  lineChartWidget,
  pieChartWidget,
  tableWidget,
  formWidget,
  fieldMappingWidget,
  actionWidget,
  taskProgressWidget,
  explorerWidget,
];

export type WidgetType = (typeof KINDS)[number]['type'];

export const WIDGET_TYPES: readonly WidgetType[] = KINDS.map(({ type }) => type);

export const WIDGET_KINDS = Object.fromEntries(KINDS.map((kind) => [kind.type, kind])) as Readonly<
  Record<WidgetType, WidgetKind>
>;

/**
 * What a widget shows of its `data`: plain JSON. `scope` has `job`, `job_config` and `args`. Null for a widget without data,
 * undefined for one that is edited, acted on or paged through, whose payload is not made from data. Throws
 * `ExpressionError`.
 */
export async function payloadOf(
  widget: WidgetBase & { readonly type: WidgetType },
  data: unknown,
  scope: Scope,
  expressions: CompiledExpressions,
): Promise<unknown> {
  return WIDGET_KINDS[widget.type].payload?.({ config: widget.config, data, scope, expressions }, widget.id);
}
