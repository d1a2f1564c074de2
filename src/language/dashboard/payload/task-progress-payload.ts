import { fieldOf, type PayloadInput } from './payload-input.ts';

const SHOWN = ['id', 'status', 'progress', 'started_at', 'ended_at', 'items'];

export interface TaskProgressPayload {
  readonly run: Readonly<Record<string, unknown>> | null;
}

/** The newest run of the task `task_key`, or of the task with the widget's id. The data are task runs, newest first. */
export function taskProgressPayload(input: PayloadInput, widgetId: string): TaskProgressPayload {
  const key = input.config['task_key'] ?? widgetId;
  const runs = Array.isArray(input.data) ? input.data : [];
  const run: unknown = runs.find((candidate) => fieldOf(candidate, 'task_key') === key);
  return {
    run:
      run === undefined ? null : Object.fromEntries(SHOWN.map((name) => [name, fieldOf(run, name) ?? null])),
  };
}
