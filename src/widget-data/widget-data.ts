import { ConnectorError } from '../drivers/driver.ts';
import type { Widget } from '../language/dashboard/pages.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import type { WidgetAnswer, WidgetInput } from '../threads/messages/widget-calls.ts';
import { profileOf, readyCall, runCall } from './ready-call.ts';
import type { WidgetKit } from './widget-kit.ts';

/** What the widget's expressions read as `data`. */
export async function widgetData(
  kit: WidgetKit,
  document: Dashboard,
  widget: Widget,
  input: WidgetInput,
  signal: AbortSignal,
): Promise<unknown> {
  const { binding } = widget;
  if (binding.kind === 'none') return widget.type === 'task_progress' ? runsOfTask(widget, input) : null;
  const data = await boundData(kit, document, widget, input, signal);
  if (binding.transform_expr === null) return data;
  const scope = { ...input.context, data };
  return (await kit.expressions.of(binding.transform_expr).evaluate(scope)) ?? null;
}

/** A run that has not been yet is none; a task that is not there is a mistake. */
function runsOfTask({ id, config }: Widget, { runs, taskKeys }: WidgetInput): unknown {
  const key = typeof config['task_key'] === 'string' ? config['task_key'] : id;
  if (taskKeys?.includes(key) === false) throw new ConnectorError('CONFIG', `The job has no task "${key}"`);
  return runs;
}

async function boundData(
  kit: WidgetKit,
  document: Dashboard,
  widget: Widget,
  input: WidgetInput,
  signal: AbortSignal,
): Promise<unknown> {
  const { binding } = widget;
  switch (binding.kind) {
    case 'none':
      return null;
    case 'call': {
      if (input.read !== undefined) return readData(input.read);
      const call = await readyCall(kit, document, binding.call, profileOf(document, widget), input);
      return runCall(kit, call, signal);
    }
    case 'shared_query':
      return sharedData(binding.name, input.shared);
    case 'source':
      return sourceData(binding.source, input);
    default:
      throw new Error(`unknown binding ${binding satisfies never}`);
  }
}

function sharedData(name: string, shared: WidgetInput['shared']): unknown {
  const answer = Object.hasOwn(shared, name) ? shared[name] : undefined;
  if (answer === undefined) throw new ConnectorError('CONFIG', `The shared query "${name}" has no result`);
  return readData(answer);
}

/** What was read for several widgets at once. */
function readData(answer: WidgetAnswer): unknown {
  if ('error' in answer) throw new ConnectorError('CONFIG', answer.error);
  return JSON.parse(answer.json);
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
