import { readFileSync } from 'node:fs';

/** Resident memory of one process, in MB. Linux alone has it where this looks. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return Number(kb) / 1_024;
}
