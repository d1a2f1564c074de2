import type { ClientBase, FieldDef } from 'pg';
import type { TableName } from '../introspect.ts';

/** How rows are written between two servers. */
export type CopyFormat = 'binary' | 'text';

/** What a query gives of a column. */
export type SourceField = Pick<FieldDef, 'name' | 'dataTypeID' | 'dataTypeModifier'>;

/**
 * Types whose values every server reads as another wrote them, in both formats, by their OIDs, which are the same everywhere. Not among
 * them: those that name objects of their database, or depend on its settings, such as money; and all that a database declares itself.
 */
const SAFE: ReadonlySet<number> = new Set([
  16, 17, 18, 19, 20, 21, 23, 25, 114, 600, 601, 602, 603, 604, 628, 650, 700, 701, 718, 774, 829, 869, 1042,
  1043, 1082, 1083, 1114, 1184, 1186, 1266, 1560, 1562, 1700, 2950, 3802, 3904, 3906, 3908, 3910, 3912, 3926,
  1000, 1001, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1041, 1115, 1182, 1183, 1185, 1187, 1231, 1270,
  2951, 3807, 199,
]);

const INT2 = 21;
const INT4 = 23;
const INT8 = 20;
const TEXT = 25;
const VARCHAR = 1043;
const NUMERIC = 1700;

interface TargetType {
  readonly oid: number;
  readonly modifier: number;
}

/** Whether all values of a type are, as text, those of the other: it has more room, and the same words. */
function isWithin(type: number, { oid, modifier }: TargetType): boolean {
  if (type === INT2) return oid === INT4 || oid === INT8;
  if (type === INT4) return oid === INT8;
  if (type === VARCHAR) return oid === TEXT;
  return type === NUMERIC && oid === NUMERIC && modifier === -1;
}

/**
 * The format in which rows with these fields go into the table's columns of their names exactly as they are; null where that cannot be
 * said, as of columns that the table lacks or computes.
 */
export async function formatInto(
  client: ClientBase,
  table: TableName,
  { fields, version }: { readonly fields: readonly SourceField[]; readonly version: number },
): Promise<CopyFormat | null> {
  const { rows } = await client.query<{
    name: string;
    oid: number;
    modifier: number;
    computed: boolean;
    version: number;
  }>(
    `SELECT attname AS name, atttypid AS oid, atttypmod AS modifier, attgenerated <> '' AS computed,
       current_setting('server_version_num')::int / 10000 AS version
     FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table.sql],
  );
  const columns = new Map(rows.map((column) => [column.name, column]));
  let format: CopyFormat = 'binary';
  for (const { name, dataTypeID: type, dataTypeModifier: modifier } of fields) {
    const column = columns.get(name);
    if (column === undefined || column.computed || !SAFE.has(type) || !SAFE.has(column.oid)) return null;
    if (column.oid === type && column.modifier === modifier) continue;
    if (!isWithin(type, column)) return null;
    format = 'text';
  }
  return rows[0]?.version === version ? format : 'text';
}
