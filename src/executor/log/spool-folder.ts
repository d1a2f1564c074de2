import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { closeFolderToOthers } from '../../base/files/private-files.ts';

const OWN_FOLDER = /^executor-(\d+)-/;

/** The default spool folder of this user's executors; every process has its own folder in it. */
export function defaultSpoolDir(): string {
  return join(tmpdir(), `headgate-spool-${userInfo().uid}`);
}

/** A folder for this process alone, readable by it alone; those of processes that are gone are removed. */
export function openSpoolFolder(spoolDir: string, instanceId: string): string {
  try {
    mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
    closeFolderToOthers(spoolDir);
    return ownFolder(spoolDir, instanceId);
  } catch (cause) {
    const message = `The folder "${spoolDir}" for logs cannot be created or written: set TMPDIR to a writable folder`;
    throw new Error(`${message} (${messageOf(cause)})`, { cause });
  }
}

function ownFolder(spoolDir: string, instanceId: string): string {
  for (const name of readdirSync(spoolDir)) {
    const pid = Number(OWN_FOLDER.exec(name)?.[1] ?? 0);
    const folder = join(spoolDir, name);
    if (pid > 0 && isLeftBehind(folder, pid)) rmSync(folder, { recursive: true, force: true });
  }
  const suffix = instanceId.replace(/[^A-Za-z0-9]/g, '').slice(0, 32);
  const folder = join(spoolDir, `executor-${process.pid}-${suffix}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function isLeftBehind(folder: string, pid: number): boolean {
  if (pid === process.pid) {
    // In a container every process may have the same number.
    const startedAt = Date.now() - process.uptime() * 1_000;
    return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? startedAt) < startedAt;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
