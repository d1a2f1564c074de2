import type { Dialect } from '../dialect.ts';

/**
 * Indexes for the `q` of lists, by table and columns: of how names begin, and in SQLite of their trigrams. Those of PostgreSQL need an
 * extension that may not be there, so each start looks for it (`postgres/trigram-indexes.ts`). Source:
 * https://sqlite.org/fts5.html#the_trigram_tokenizer.
 */
export function nameSearchIndexes(
  { name: dialect }: Dialect,
  tables: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(tables).flatMap(([table, columns]) => [
    ...columns.map((column) => {
      const like = dialect === 'postgres' ? ' text_pattern_ops' : '';
      return `create index ${table}_${column}_start on ${table} (lower(${column})${like})`;
    }),
    ...(dialect === 'sqlite' ? trigramIndex(table, columns) : []),
  ]);
}

/** Holds no copy of the names: triggers keep it true. Sizes of columns and positions in them serve rankings and phrases alone. */
function trigramIndex(table: string, columns: readonly string[]): string[] {
  const index = `${table}_trigrams`;
  const names = columns.join(', ');
  const of = (row: 'old' | 'new') => [`${row}.id`, ...columns.map((column) => `${row}.${column}`)].join(', ');
  const add = `insert into ${index} (rowid, ${names}) values (${of('new')});`;
  const drop = `insert into ${index} (${index}, rowid, ${names}) values ('delete', ${of('old')});`;
  const renamed = columns.map((column) => `old.${column} is not new.${column}`).join(' or ');
  return [
    `create virtual table ${index} using fts5
       (${names}, content='${table}', content_rowid='id', tokenize='trigram', detail='none', columnsize=0)`,
    `insert into ${index} (${index}) values ('rebuild')`,
    `create trigger ${table}_search_insert after insert on ${table} begin ${add} end`,
    `create trigger ${table}_search_delete after delete on ${table} begin ${drop} end`,
    `create trigger ${table}_search_rename after update of ${names} on ${table} when ${renamed} begin ${drop} ${add} end`,
  ];
}
