import { readFileSync } from 'node:fs';

const CLOCK_TICK_MS = 10;

let elsewhereMs = 0;

/** Counts processor time that a process which goes on has spent for this one. */
export function countCpuElsewhere(ms: number): void {
  elsewhereMs += ms;
}

/** Processor time of this process so far, in milliseconds, with that spent for it elsewhere and, where the system tells it, that of children that have ended. */
export function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  let ofChildren = 0;
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    ofChildren = (Number(fields[13]) + Number(fields[14])) * CLOCK_TICK_MS;
  } catch {
    // Not Linux.
  }
  return (user + system) / 1_000 + ofChildren + elsewhereMs;
}
