import { readFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** Why a file cannot be read, in words for whoever named it. */
export function unreadable(file: string, cause: unknown): string {
  const { code } = cause as { readonly code?: unknown };
  if (code === 'ENOENT' || code === 'ENOTDIR') return `${file} does not exist`;
  if (code === 'EISDIR') return `${file} is a folder: name a file`;
  if (code === 'EACCES' || code === 'EPERM') return `${file} cannot be read: permission denied`;
  return `${file} cannot be read: ${messageOf(cause)}`;
}

/** The text of a document; `CommandError` where the file cannot be read. */
export function readDocument(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CommandError(EXIT.usage, unreadable(`The file "${file}"`, cause), { cause });
  }
}
