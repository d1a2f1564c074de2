import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Seconds of processor time of one process, its threads included and its children not; to a hundredth. Linux alone. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
