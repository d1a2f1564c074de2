import { recordsOf } from './own-tables.ts';

/** Types of references that read columns without their names. */
const NAMELESS: ReadonlySet<unknown> = new Set(['STAR', 'SHOW_REF', 'PIVOT', 'POSITIONAL_REFERENCE']);

/**
 * The names, in lower case, among which are all columns of its tables that a query reads; null where it may read any. `tree`: the query as
 * the engine's `json_serialize_sql` gives it.
 */
export function readColumns(tree: unknown): ReadonlySet<string> | null {
  const read = new Set<string>();
  const wholes = new Set<string>();
  const last = new Set<string>();
  for (const node of recordsOf(tree)) {
    const { type, column_names: path, using_columns: using, column_name_alias: renamed } = node;
    if (NAMELESS.has(type) || node['ref_type'] === 'NATURAL') return null;
    if (Array.isArray(renamed) && renamed.length > 0) return null;
    if (type === 'BASE_TABLE')
      for (const name of [node['table_name'], node['alias']]) wholes.add(String(name).toLowerCase());
    const names = [...textsOf(path), ...textsOf(using)];
    for (const name of names) read.add(name);
    const end = textsOf(path).at(-1);
    if (end !== undefined) last.add(end);
  }
  // The name of a table as a value is all of its columns.
  return [...last].some((name) => wholes.has(name)) ? null : read;
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map((name) => String(name).toLowerCase()) : [];
}
