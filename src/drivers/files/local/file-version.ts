import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { identity } from '../../../base/files/own-file.ts';
import { ConnectorError } from '../../driver.ts';

/** Where a load goes: a name in a real folder. */
export interface FileTarget {
  /** As the user wrote it. */
  readonly name: string;
  /** Real path of the folder that holds it. */
  readonly folder: string;
  readonly path: string;
}

/** What changes when the file changes. */
export function versionOf(stats: BigIntStats): string {
  return `${identity(stats)}:${stats.size}:${stats.mtimeNs}`;
}

/** The version of what a real path leads to now; null for nothing. */
export async function versionAt(path: string): Promise<string | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  return stats === null ? null : versionOf(stats);
}

/** The fault of a file that was written to, cut or replaced while it was read: another attempt reads it as it is then. */
export function changedFile(name: string): ConnectorError {
  return new ConnectorError('UNAVAILABLE', `The file "${name}" changed while it was read`);
}
