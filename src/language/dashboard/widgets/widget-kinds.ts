import type { WidgetType } from '../dashboard.ts';
import { actionWidget } from './action-widget.ts';
import { barChartWidget } from './bar-chart-widget.ts';
import { explorerWidget } from './explorer-widget.ts';
import { fieldMappingWidget } from './field-mapping-widget.ts';
import { formWidget } from './form-widget.ts';
import { headingWidget } from './heading-widget.ts';
import { lineChartWidget } from './line-chart-widget.ts';
import { peopleWidget } from './people-widget.ts';
import { pieChartWidget } from './pie-chart-widget.ts';
import { progressWidget } from './progress-widget.ts';
import { statWidget } from './stat-widget.ts';
import { stepsWidget } from './steps-widget.ts';
import { tableWidget } from './table-widget.ts';
import { taskProgressWidget } from './task-progress-widget.ts';
import type { WidgetKind } from './widget-kind.ts';

export const WIDGET_KINDS: Readonly<Record<WidgetType, WidgetKind>> = {
  heading: headingWidget,
  stat: statWidget,
  progress: progressWidget,
  steps: stepsWidget,
  people: peopleWidget,
  bar_chart: barChartWidget,
  line_chart: lineChartWidget,
  pie_chart: pieChartWidget,
  table: tableWidget,
  form: formWidget,
  field_mapping: fieldMappingWidget,
  action: actionWidget,
  task_progress: taskProgressWidget,
  explorer: explorerWidget,
};
