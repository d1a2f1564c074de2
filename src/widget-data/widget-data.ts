import { ConnectorError } from '../drivers/driver.ts';
import type { WidgetBase } from '../language/dashboard/widgets/widget-kind.ts';
import type { WidgetInput } from '../threads/messages/widget-calls.ts';
import type { CallReads } from './call-reads.ts';
import type { WidgetKit } from './widget-kit.ts';

type TypedWidget = WidgetBase & { readonly type: string };

/** What the widget's expressions read as `data`. */
export async function widgetData(
  kit: WidgetKit,
  widget: TypedWidget,
  input: WidgetInput,
  reads: CallReads,
): Promise<unknown> {
  const { binding } = widget;
  if (binding.kind === 'none') return widget.type === 'task_progress' ? runsOfTask(widget, input) : null;
  const data = binding.kind === 'source' ? sourceData(binding.source, input) : await reads.of(widget);
  if (binding.transform_expr === null) return data;
  const scope = { ...input.context, data };
  return (await kit.expressions.of(binding.transform_expr).evaluate(scope)) ?? null;
}

/** A run that has not been yet is none; a task that is not there is a mistake. */
function runsOfTask({ id, config }: WidgetBase, { runs, taskKeys }: WidgetInput): unknown {
  const key = typeof config['task_key'] === 'string' ? config['task_key'] : id;
  if (taskKeys?.includes(key) === false) throw new ConnectorError('CONFIG', `The job has no task "${key}"`);
  return runs;
}

function sourceData(source: 'runs' | 'job' | 'config', { runs, context }: WidgetInput): unknown {
  switch (source) {
    case 'runs':
      return runs;
    case 'job':
      return context.job;
    case 'config':
      return context.job_config;
    default:
      throw new Error(`unknown source ${source satisfies never}`);
  }
}
