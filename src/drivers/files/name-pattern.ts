import { posix } from 'node:path';
import { ConnectorError } from '../driver.ts';
import { foundFilesMax } from './storage/file-storage.ts';

/** A pattern of file names, from a connector's folder on. */
export interface NamePattern {
  /** The folders with which every match begins, with a `/` at the end; empty for none. */
  readonly folder: string;
  /** Most folders that a match lies in. */
  readonly depthMax: number;
  matches(name: string): boolean;
}

const SPECIAL = /[*?[\]{}]/;

function isHidden(name: string): boolean {
  return name.startsWith('.') || name.includes('/.');
}

/** Reads a pattern. Throws `CONFIG` for one that leads out of the folder. */
export function namePattern(pattern: string): NamePattern {
  const parts = pattern.split('/');
  if (
    pattern.includes('\0') ||
    pattern.includes('\\') ||
    parts.some((part) => part === '' || /^\.\.?$/.test(part))
  ) {
    throw new ConnectorError(
      'CONFIG',
      `The pattern "${pattern}" must name files from the connector's folder on, such as "2026/*.csv"`,
    );
  }
  const plain = parts.slice(0, -1).findIndex((part) => SPECIAL.test(part));
  const folders = parts.slice(0, plain === -1 ? -1 : plain);
  // Braces may hold a slash, and so any number of folders.
  const isDeep = parts.includes('**') || pattern.includes('{');
  return {
    folder: folders.map((part) => `${part}/`).join(''),
    depthMax: isDeep ? Number.POSITIVE_INFINITY : parts.length - 1,
    matches: (name) => !isHidden(name) && posix.matchesGlob(name, pattern),
  };
}

export function tooManyFiles(pattern: string): ConnectorError {
  const most = foundFilesMax.toLocaleString('en');
  return new ConnectorError('CONFIG', `More than ${most} files match "${pattern}"; give a narrower pattern`);
}
