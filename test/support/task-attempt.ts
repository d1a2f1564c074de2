import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** When an attempt is killed, and what is looked at right before. */
export interface Kill {
  /** So many milliseconds after it has begun. */
  readonly afterMs: number;
  readonly before?: (pid: number) => void;
}

/** An attempt of a run in a process of its own, as `run-task-main.ts` takes it: its outcome as JSON, empty where it was killed earlier. */
export async function attemptTask(file: string, kill: Kill | null): Promise<string> {
  const main = join(import.meta.dirname, 'run-task-main.ts');
  const child = spawn(process.execPath, [main, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const exit = once(child, 'exit');
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await once(child.stdout, 'data');
  if (kill !== null) {
    await Promise.race([delay(kill.afterMs), exit]);
    kill.before?.(child.pid ?? 0);
    child.kill('SIGKILL');
  }
  await exit;
  return text.split('\n')[1] ?? '';
}
