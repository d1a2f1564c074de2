import { setTimeout as wait } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until all have ended. */
export async function gone(...pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await wait(20);
}
