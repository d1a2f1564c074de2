import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { failedCallText } from './failed-call.ts';

/** `NOT_READY`, with the setting that names them, where one of the folders is absent, closed to this user, or no folder. */
export function requireFolders(paths: readonly string[], setting: string): void {
  for (const path of paths) {
    const why = whyUnusable(path);
    if (why !== null)
      throw new AppError('NOT_READY', `${setting}: the folder "${path}" cannot be used: ${why}`);
  }
}

function whyUnusable(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : 'it is no folder';
  } catch (error) {
    return failedCallText(error);
  }
}
