import { name } from '../../declare/values.ts';
import { fieldOf, type PayloadInput } from './payload-input.ts';
import { taskOfTemplate } from './widget-fit.ts';
import { widgetKind } from './widget-kind.ts';

const SHOWN = ['id', 'status', 'progress', 'started_at', 'ended_at', 'items'];

interface TaskProgressPayload {
  readonly run: Readonly<Record<string, unknown>> | null;
}

export const taskProgressWidget = widgetKind({
  type: 'task_progress',
  words: 'The latest run of one task of the job.',
  width: 6,
  bound: false,
  keys: { task_key: name('The key of the task in the job. Default: the id of the widget.', 'key') },
  rules: [taskOfTemplate('task_key', { orId: true })],
  payload: taskProgressPayload,
});

/** The newest run of the task `task_key`, or of the task with the widget's id. The data are task runs, newest first. */
function taskProgressPayload(input: PayloadInput, widgetId: string): TaskProgressPayload {
  const key = input.config['task_key'] ?? widgetId;
  const runs = Array.isArray(input.data) ? input.data : [];
  const run: unknown = runs.find((candidate) => fieldOf(candidate, 'task_key') === key);
  return {
    run:
      run === undefined ? null : Object.fromEntries(SHOWN.map((name) => [name, fieldOf(run, name) ?? null])),
  };
}
