import { everyStep, type Task } from '../../language/task/parse-task.ts';

/** Whether a task has script steps, or runs others, which may have some. */
export function mayHaveScripts(task: Task): boolean {
  return everyStep(task).some(({ kind }) => kind === 'script' || kind === 'run_task');
}
