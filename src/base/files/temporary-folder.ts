import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a folder is for: the word in its name. */
export type TemporaryKind = 'copy' | 'query' | 'load' | 'plugin';

const NAME = /^headgate-(?:copy|query|load|plugin)-(\d+)\.(\d+)\.(\d+)-/;
/** Place of the start of a process in `/proc/PID/stat` after its name, in ticks since the machine's. */
const STARTED = 19;

/** A new folder in the system's folder for temporary files, for its owner alone, that names this process. Its real path. */
export async function makeTemporaryFolder(kind: TemporaryKind): Promise<string> {
  const owner = [process.pid, startOf('self'), namespaceOf()].join('.');
  return mkdtemp(join(await realpath(tmpdir()), `headgate-${kind}-${owner}-`));
}

/**
 * Removes what processes of this user have left behind that were ended by force: folders whose process, by its number and its start, is
 * gone. Those of processes that are numbered apart, as in another container, are left alone.
 */
export function removeLeftFolders(folder: string = tmpdir()): void {
  const namespace = namespaceOf();
  if (namespace === '0') return;
  for (const name of namesIn(folder)) {
    const [, pid = '', start = '', theirs] = NAME.exec(name) ?? [];
    if (theirs !== namespace || startOf(pid) === start) continue;
    const path = join(folder, name);
    try {
      if (statSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process of this user has just removed it.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** When a process started; `0` for one that has ended, or where the system does not tell. */
function startOf(pid: string): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[STARTED] ?? '0';
  } catch {
    return '0';
  }
}

/** The processes that are numbered together with this one; `0`, which nothing is removed of, where the system does not tell. */
function namespaceOf(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
