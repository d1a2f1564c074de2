import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4_096;
/** Places in `/proc/PID/stat` after the name of the program. */
const GROUP = 2;
const RESIDENT = 21;

/** Memory that the processes of a group hold together, in bytes; 0 where the system does not tell. */
export function groupBytes(group: number): number {
  let pages = 0;
  for (const name of processes()) {
    const fields = statOf(name);
    if (Number(fields[GROUP]) === group) pages += Number(fields[RESIDENT]);
  }
  return pages * PAGE_BYTES;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Empty for one that has ended. */
function statOf(name: string): string[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
