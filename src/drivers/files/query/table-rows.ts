import { typeOf } from '../../csv/value-type.ts';
import {
  type Batch,
  type Column,
  type ColumnType,
  ConnectorError,
  type ReadRequest,
  type Row,
} from '../../driver.ts';
import { partitionsOf } from '../set/partition-value.ts';

interface Partition {
  readonly column: Column;
  readonly valueIn: (file: string) => unknown;
}

/**
 * The rows of the files of a table, as `read` gives them, with the folders of their partitions as columns. Throws `CONFIG` where there is no
 * column, and for names that are one to SQL.
 */
export async function* tableRows(
  table: string,
  files: readonly string[],
  read: (file: string) => AsyncIterable<Batch>,
  log: ReadRequest['log'],
): AsyncGenerator<Pick<Batch, 'columns' | 'rows'>, void, undefined> {
  const partitions = partitionsIn(files);
  const names = new Map<string, string>();
  const types = new Map<string, ColumnType>();
  let blank = 0;
  for (const file of files)
    for await (const batch of read(file)) {
      const { columns } = batch;
      // Records without a field are rows all the same, once there is a column.
      if (columns.length === 0) blank += batch.rows.length;
      if (columns.length === 0) continue;
      const rows = [...Array.from({ length: blank }, (): Row => ({})), ...batch.rows];
      blank = 0;
      const added = partitions.filter(({ column }) => columns.every(({ name }) => name !== column.name));
      const all = [...columns, ...added.map(({ column }) => column)];
      requireNames(names, all, file);
      for (const { name, type } of all) {
        const before = types.get(name) ?? 'unknown';
        if (type === 'unknown' || type === before) continue;
        types.set(name, type);
        if (before !== 'unknown')
          log?.(
            'warn',
            `The column "${name}" of the table "${table}" has values of the types ${before} and ${type}: see "${file}"`,
          );
      }
      for (const { column, valueIn } of added) {
        const value = valueIn(file);
        for (const row of rows) row[column.name] = value;
      }
      yield { columns: all.map(({ name, type, nullable }) => ({ name, type, nullable })), rows };
    }
  if (names.size === 0)
    throw new ConnectorError('CONFIG', `The table "${table}" has no columns: its files have no records`);
}

/** `names`: those met before, by the lower case in which SQL sees them. */
function requireNames(names: Map<string, string>, columns: readonly Column[], file: string): void {
  for (const { name } of columns) {
    const known = names.get(name.toLowerCase());
    if (known !== undefined && known !== name)
      throw new ConnectorError(
        'CONFIG',
        `The file "${file}" has the column "${name}" beside "${known}", which are one name in SQL: use "read", and "rename" one of them before a "sql" step`,
      );
    names.set(name.toLowerCase(), name);
  }
}

/** Columns of folders such as `day=2026-01-31/`, where all files are in the same ones. */
function partitionsIn(files: readonly string[]): readonly Partition[] {
  const of = files.map(partitionsOf);
  const keys = [...(of[0]?.keys() ?? [])];
  if (of.some((partitions) => [...partitions.keys()].join('/') !== keys.join('/'))) return [];
  return keys.map((name) => {
    const texts = of.flatMap((partitions) => partitions.get(name) ?? []);
    const type = typeOf(texts, '.');
    return {
      column: { name, type, nullable: true },
      valueIn: (file) => {
        const text = partitionsOf(file).get(name) ?? null;
        if (text === null) return null;
        if (type === 'boolean') return text.toLowerCase() === 'true';
        const number = Number(text);
        return type === 'number' || (type === 'integer' && Number.isSafeInteger(number)) ? number : text;
      },
    };
  });
}
