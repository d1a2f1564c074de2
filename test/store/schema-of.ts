import { DatabaseSync } from 'node:sqlite';

/** An empty database, as it is opened by the store. */
export function openMemory(): DatabaseSync {
  return new DatabaseSync(':memory:', { defensive: false });
}

/** The statements of the schema in the order in which they ran. Tables of an index of trigrams and indexes of keys come by themselves. */
export function schemaOf(database: DatabaseSync): string[] {
  const rows = database.prepare(
    `select sql from sqlite_master where sql is not null and name not like 'sqlite\\_%' escape '\\'
       and tbl_name not in (select name from pragma_table_list where type = 'shadow') order by rowid`,
  );
  return rows.all().map(({ sql }) => String(sql));
}
