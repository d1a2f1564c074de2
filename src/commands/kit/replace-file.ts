import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/**
 * Writes a file whole or not at all: aside, then renamed over what was there, so that whoever reads it sees the old content or the new.
 * `mode` is that of a file which others may not read, such as 0o600. Throws `CommandError` where it cannot be written.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode?: number): void {
  const aside = `${path}.${process.pid}.new`;
  try {
    writeFileSync(aside, content, { flush: true, ...(mode === undefined ? {} : { mode }) });
    renameSync(aside, path);
  } catch (cause) {
    rmSync(aside, { force: true });
    throw new CommandError(EXIT.usage, `The file "${path}" cannot be written: ${messageOf(cause)}`, {
      cause,
    });
  }
}
