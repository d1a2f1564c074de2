import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../base/errors.ts';
import { makePrivateFile, makePrivateFolder } from '../base/files/private-files.ts';
import { StoreOpenError } from '../store/store-open-error.ts';

const SQLITE_BUSY = 5;

/** The file that marks a state file as in use by a server. */
export function lockPathOf(statePath: string): string {
  return `${resolve(statePath)}-lock`;
}

/**
 * Keeps every other server off a SQLite state file until it is released or this process ends, however it ends: what a second server
 * did would be unknown to the first, and its start takes over the runs of the first. A database that stays empty carries the lock,
 * since the state file itself must stay open to commands. `CONFLICT` where another server has it; else as `openStore` fails.
 */
export function lockState(statePath: string): { /** Again does nothing. */ release(): void } {
  let database: DatabaseSync | null = null;
  try {
    if (statSync(statePath, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
    const path = lockPathOf(statePath);
    makePrivateFolder(dirname(path));
    makePrivateFile(path);
    database = new DatabaseSync(path, { timeout: 0 });
    const opened = database;
    opened.exec('pragma journal_mode = memory; begin exclusive');
    return {
      release() {
        if (opened.isOpen) opened.close();
      },
    };
  } catch (cause) {
    database?.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY)
      throw new StoreOpenError({ kind: 'localdb', path: statePath }, cause);
    const message = `Another server runs on the state store "${resolve(statePath)}": stop it, or give this one a store of its own (SVC_STATE_PATH). Several servers need PostgreSQL (SVC_STATE_URL)`;
    throw new AppError('CONFLICT', message, { cause });
  }
}
