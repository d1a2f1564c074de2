import { readFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** The text of a document; `CommandError` where the file cannot be read. */
export function readDocument(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CommandError(EXIT.usage, `The file "${file}" cannot be read: ${messageOf(cause)}`, { cause });
  }
}
