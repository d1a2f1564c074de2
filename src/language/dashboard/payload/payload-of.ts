import type { Scope } from '../../expression/expression.ts';
import type { Widget } from '../dashboard.ts';
import { chartPayload } from './chart-payload.ts';
import type { CompiledExpressions } from './compiled-expressions.ts';
import type { PayloadInput } from './payload-input.ts';
import { peoplePayload } from './people-payload.ts';
import { pieChartPayload } from './pie-chart-payload.ts';
import { progressPayload } from './progress-payload.ts';
import { statPayload } from './stat-payload.ts';
import { stepsPayload } from './steps-payload.ts';
import { tablePayload } from './table-payload.ts';
import { taskProgressPayload } from './task-progress-payload.ts';

/**
 * What a widget shows of its `data`: plain JSON. `scope` has `job`, `job_config` and `args`. Null for a widget without data,
 * undefined for one that is edited, acted on or paged through, whose payload is not made from data. Throws
 * `ExpressionError`.
 */
export async function payloadOf(
  widget: Widget,
  data: unknown,
  scope: Scope,
  expressions: CompiledExpressions,
): Promise<unknown> {
  const input: PayloadInput = { config: widget.config, data, scope, expressions };
  switch (widget.type) {
    case 'heading':
      return null;
    case 'stat':
      return statPayload(input);
    case 'progress':
      return progressPayload(input);
    case 'steps':
      return stepsPayload(input);
    case 'people':
      return peoplePayload(input);
    case 'bar_chart':
    case 'line_chart':
      return chartPayload(input);
    case 'pie_chart':
      return pieChartPayload(input);
    case 'table':
      return tablePayload(input);
    case 'task_progress':
      return taskProgressPayload(input, widget.id);
    case 'form':
    case 'field_mapping':
    case 'action':
    case 'explorer':
      return undefined;
    default:
      throw new Error(`unknown widget type ${widget.type satisfies never}`);
  }
}
