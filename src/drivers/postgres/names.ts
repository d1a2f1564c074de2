import { isRecord } from '../../base/json.ts';
import { ConnectorError } from '../driver.ts';

/** Longest name in UTF-8. PostgreSQL cuts what is longer, and so takes one name for another. */
export const nameBytesMax = 63;

/** Throws `CONFIG` for a name that PostgreSQL would change. */
export function requireName(kind: 'schema' | 'table' | 'column', name: string): void {
  const bytes = Buffer.byteLength(name);
  if (bytes > nameBytesMax)
    throw new ConnectorError(
      'CONFIG',
      `The name of the ${kind} "${name}" has ${bytes} bytes, and PostgreSQL cuts names after ${nameBytesMax}; give it a shorter one`,
    );
  if (!name.isWellFormed())
    throw new ConnectorError('CONFIG', `The name of the ${kind} "${name}" is not valid Unicode`);
}

export function requireColumnNames(names: Iterable<string>): void {
  for (const name of names) requireName('column', name);
}

/** The columns that the arguments of a method name, wherever they do; throws `CONFIG` for one that PostgreSQL would change. */
export function requireNamesOf(args: unknown): void {
  if (!isRecord(args)) return;
  const { columns, sort, key, filter, set, rows } = args;
  const records = [filter, set, key, ...(Array.isArray(rows) ? rows : [])].filter(isRecord);
  for (const record of records) requireColumnNames(Object.keys(record));
  for (const list of [columns, sort, key]) {
    if (!Array.isArray(list)) continue;
    requireColumnNames(list.filter((name) => typeof name === 'string').map((name) => name.replace(/^-/, '')));
  }
}
