import type { Insertable, RawBuilder, Selectable, Updateable } from 'kysely';
import type { Dialect } from './dialect.ts';
import { keptQueries, keptQuery, keptWrite } from './kept-query.ts';
import { type Filter, filtered, type Keyset, onPage, pageShape, pageValues } from './lists/keyset.ts';
import { holding, type SearchedTable } from './lists/name-search.ts';
import type { Schema } from './schema.ts';
import type { Db, Tx } from './store.ts';

type Row<T extends keyof Schema> = Selectable<Schema[T]>;
type TablesWith<Columns> = { [T in keyof Schema]: Row<T> extends Columns ? T : never }[keyof Schema];

/** Tables with one row per record. */
type RecordTable = TablesWith<{ id: number }>;
/** Tables whose records have unique names. */
type NamedTable = 'tasks' | 'job_templates' | 'connectors' | 'ai_references';
/** The text to look for, of a table that has an index for it. */
type Searched<T> = T extends SearchedTable ? string | undefined : undefined;
/** The columns besides the text. */
type Heads<T extends RecordTable> = readonly Exclude<keyof Row<T>, 'yaml_content'>[];
interface ListPage extends Keyset {
  /** What will be answered of each row, where not everything is. */
  readonly fields?: readonly string[] | undefined;
  /** Only `MARKS` and the column of the order. */
  readonly marks?: boolean | undefined;
}

const MARKS = ['id', 'version', 'status', 'updated_at'] as const;
type VersionTable = TablesWith<{ version: number; yaml_content: string; created_by: string | null }>;

/**
 * The statements that every kind of record needs: `export const { select: selectUser } = recordStatements('users')`.
 * `toRecord` turns a row into what they return; default: the row itself.
 */
export function recordStatements<T extends RecordTable, R = Row<T>>(
  table: T,
  toRecord: (row: Row<T>) => R = (row) => row as unknown as R,
  heads: Heads<T> | null = null,
) {
  // Kysely's types cannot follow a table that is a type parameter: inside, it is one of them.
  const name = table as 'tasks';
  const byId = keptQuery((db: Db, id: number) => db.selectFrom(name).selectAll().where('id', '=', id));
  const locks = keptQueries<unknown>();
  const pages = keptQueries<unknown>();
  const inserted = keptWrite((tx, row) =>
    tx
      .insertInto(name)
      .values(row as never)
      .returningAll(),
  );
  const updated = keptWrite((tx, row, id: number) =>
    tx.updateTable(name).set(row).where('id', '=', id).returningAll(),
  );
  const record = (row: unknown) => toRecord(row as Row<T>);
  const recordOrNull = (row: unknown) => (row === undefined ? null : record(row));

  return {
    async select(db: Db, id: number): Promise<R | null> {
      return recordOrNull((await byId(db, id))[0]);
    },

    /** Held until the transaction ends. */
    async lock(tx: Tx, dialect: Dialect, id: number): Promise<R | null> {
      const build = () => tx.selectFrom(name).selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
      return recordOrNull((await locks(tx, '', [id], build))[0]);
    },

    async selectAmong(db: Db, ids: readonly number[]): Promise<R[]> {
      if (ids.length === 0) return [];
      return (await db.selectFrom(name).selectAll().where('id', 'in', ids).execute()).map(record);
    },

    /**
     * Rows that match the values of `equal` and have `q` in their name; in the order of `paging`, one more than the page. Rows whose
     * text will not be answered come without it, and those of `marks` with little else.
     */
    async page(db: Db, paging: ListPage, equal: Filter<Row<T>>, q?: Searched<T>): Promise<Row<T>[]> {
      const isHeads = heads !== null && paging.fields?.includes('yaml_content') === false;
      const some = paging.marks === true ? [...new Set([...MARKS, paging.column])] : isHeads ? heads : null;
      const build = (holds: RawBuilder<boolean> | null) => {
        const rows = db.selectFrom(name);
        const selected = some === null ? rows.selectAll() : rows.select(some as readonly 'id'[]);
        return onPage(filtered(selected as ReturnType<typeof rows.selectAll>, equal, holds), paging);
      };
      if (q !== undefined) {
        const found = build(await holding(db, table as SearchedTable, q));
        return (await found.execute()) as unknown as Row<T>[];
      }
      const shape = `${some} ${pageShape(equal, paging)}`;
      return (await pages(db, shape, pageValues(equal, paging), () => build(null))) as Row<T>[];
    },

    async count(db: Db): Promise<number> {
      const query = db.selectFrom(name).select((eb) => eb.fn.countAll<number>().as('count'));
      return Number((await query.executeTakeFirstOrThrow()).count);
    },

    async insert(tx: Tx, values: Insertable<Schema[T]>): Promise<R> {
      return record((await inserted(tx, values))[0]);
    },

    async update(tx: Tx, id: number, change: Updateable<Schema[T]>): Promise<R> {
      const [row] = await updated(tx, change, id);
      if (row === undefined) throw new Error(`There is no row ${id} in "${table}" to update`);
      return record(row);
    },

    async remove(tx: Tx, id: number): Promise<void> {
      await tx.deleteFrom(name).where('id', '=', id).execute();
    },
  };
}

/** As `recordStatements`, for records with unique names. */
export function namedStatements<T extends NamedTable, R = Row<T>>(
  table: T,
  toRecord: (row: Row<T>) => R = (row) => row as unknown as R,
  heads: Heads<T> | null = null,
) {
  const name = table as 'tasks';
  const record = (row: unknown) => toRecord(row as Row<T>);
  const fresh = keptWrite((tx, row) =>
    tx
      .insertInto(name)
      .values(row as never)
      .onConflict((oc) => oc.column('name').doNothing())
      .returningAll(),
  );

  return {
    ...recordStatements(table, toRecord, heads),

    async selectNamed(db: Db, names: readonly string[]): Promise<R[]> {
      if (names.length === 0) return [];
      return (await db.selectFrom(name).selectAll().where('name', 'in', names).execute()).map(record);
    },

    /** Null where the name is taken. */
    async insertNamed(tx: Tx, values: Insertable<Schema[T]>): Promise<R | null> {
      const [row] = await fresh(tx, values);
      return row === undefined ? null : record(row);
    },
  };
}

/** The statements of a table with every version of another table's records; `owner` is the column with the record's id. */
export function versionStatements<T extends VersionTable>(table: T, owner: string & keyof Row<T>) {
  const name = table as 'task_versions';
  const column = owner as 'task_id';
  const inserted = keptWrite((tx, row) => tx.insertInto(name).values(row as never));

  return {
    async insert(tx: Tx, values: Insertable<Schema[T]>): Promise<void> {
      await inserted(tx, values);
    },

    /** In the order of `paging` by id, which is the version; one row more than the page. */
    async page(db: Db, id: number, paging: Keyset): Promise<Row<T>[]> {
      const query = db.selectFrom(name).selectAll().where(column, '=', id);
      const rows = await onPage(query, paging, 'version').execute();
      return rows.map((row) => ({ ...row, id: row.version })) as unknown as Row<T>[];
    },

    async select(db: Db, id: number, version: number): Promise<Row<T> | null> {
      const query = db.selectFrom(name).selectAll().where(column, '=', id).where('version', '=', version);
      return ((await query.executeTakeFirst()) ?? null) as unknown as Row<T> | null;
    },
  };
}
