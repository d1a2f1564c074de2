import type { FieldPacket } from 'mysql2';
import type { Column } from '../driver.ts';
import { findTable, type MysqlColumn, type TableName, tableName } from './introspect.ts';
import type { Session } from './session-pool.ts';
import { commonTypeOf, declaredTypeOf } from './types/declared-type.ts';

/** Of a statement: those that its columns come from, beyond which none is looked at. */
const TABLES_MAX = 20;
const NOT_NULL_FLAG = 1;

/** What tables declare of the columns of a result. */
export interface SourceColumns {
  /** What a result's column says besides its name and type. */
  of(field: FieldPacket, type: Column['type']): Partial<Column>;
}

export const NO_SOURCE: SourceColumns = { of: () => ({}) };

/**
 * Looks up the columns of tables that a statement gives as they are. `table`: its rows are those of this one, so that they have its
 * primary key. Nothing of the session is changed.
 */
export async function findSourceColumns(
  session: Session,
  fields: readonly FieldPacket[],
  table: TableName | null,
): Promise<SourceColumns> {
  const names = new Map<string, TableName>();
  for (const { db = '', orgTable } of fields) {
    if (db !== '' && orgTable !== '') names.set(idOf(db, orgTable), tableName(db, orgTable));
  }
  if (names.size === 0 || names.size > TABLES_MAX) return NO_SOURCE;
  const columns = new Map<string, MysqlColumn>();
  for (const [id, name] of names) {
    const found = await findTable(session, name);
    for (const column of found?.columns ?? []) columns.set(`${id}\n${column.name}`, column);
  }
  const columnOf = ({ db = '', orgTable, orgName }: FieldPacket) =>
    columns.get(`${idOf(db, orgTable)}\n${orgName}`);
  const isOfTable = ({ db, orgTable }: FieldPacket) => db === table?.database && orgTable === table?.name;
  const given = fields.filter((field) => columnOf(field)?.isKey === true).length;
  const keys = [...columns.values()].filter(({ isKey }) => isKey).length;
  const hasKey = table !== null && fields.every(isOfTable) && given === keys;
  return {
    of(field, type) {
      const column = columnOf(field);
      if (column === undefined || commonTypeOf(column) !== type) return {};
      const declared = declaredTypeOf(column);
      const isKey = hasKey && column.isKey;
      // Of an outer join it may be null, whatever its table says.
      const required = (Number(field.flags) & NOT_NULL_FLAG) !== 0;
      return {
        nullable: !required,
        native_type: column.declared,
        ...(declared && { declared: { ...declared, required, ...(isKey && { keyColumns: keys }) } }),
        ...(isKey && { key: true }),
      };
    },
  };
}

function idOf(database: string, table: string): string {
  return `${database}\n${table}`;
}
