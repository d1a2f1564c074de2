import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '../base/errors.ts';
import { failedCallText } from '../base/files/failed-call.ts';
import { requireFolders } from '../base/files/require-folders.ts';
import type { Config } from '../config.ts';

/** What the settings name must be usable at the start: `NOT_READY` with the setting, where it would fail later and for others. */
export function requireUsableFiles({ files, metrics, state }: Config): void {
  requireFolders(
    files.roots.map((root) => resolve(root)),
    'SVC_FILE_ROOTS',
  );
  // With PostgreSQL the metrics are there, unless somebody configures a file.
  if (state.serverdb === undefined) requireWritable(resolve(metrics.path), 'SVC_METRICS_PATH');
}

/** A file, or the place of one that the server makes, folders included. */
function requireWritable(path: string, setting: string): void {
  try {
    if (existsSync(path) && !statSync(path).isFile()) throw new Error('it is no file');
    let place = path;
    while (!existsSync(place)) place = dirname(place);
    if (place !== path && !statSync(place).isDirectory()) throw new Error(`"${place}" is no folder`);
    accessSync(place, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new AppError('NOT_READY', `${setting} "${path}" cannot be written: ${failedCallText(error)}`);
  }
}
