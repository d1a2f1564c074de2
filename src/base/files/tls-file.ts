import { readFileSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { failedCallText } from './failed-call.ts';

/** The PEM text of a file that `setting` (a setting or an option) names. `NOT_READY`, with both of them, where it cannot be used. */
export function readTlsFile(path: string, setting: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AppError('NOT_READY', `${setting} "${path}" cannot be read: ${failedCallText(cause)}`);
  }
  if (text.includes('-----BEGIN ')) return text;
  throw new AppError('NOT_READY', `${setting} "${path}" is no PEM file: it has no "-----BEGIN" line`);
}
