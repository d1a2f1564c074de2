import type { DigestColumn } from '../../digest/digest.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import type { PostgresColumn } from '../introspect.ts';
import { valueTypeOf } from '../value-type.ts';

const FLOATS: ReadonlySet<number> = new Set([700, 701]);
const TIME_WITH_ZONE = 1266;
const TIMESTAMP_WITH_ZONE = 1184;

/** The normal form of a column as SQL, in a session in UTC with ISO dates; null where there is none. */
export function columnText({ type: { oid } }: PostgresColumn, { name, form }: DigestColumn): string | null {
  const sql = quoteIdentifier(name);
  const { type } = valueTypeOf(oid);
  switch (form) {
    case 'number':
      if (type === 'boolean') return `${sql}::int::text`;
      if (type === 'integer') return `${sql}::text`;
      if (type === 'decimal') return `trim_scale(${sql})::text`;
      return FLOATS.has(oid) ? `trim_scale(${sql}::text::numeric)::text` : null;
    case 'text':
      return type === 'string' ? `${sql}::text` : null;
    case 'padded':
      return type === 'string' ? `rtrim(${sql}::text, ' ')` : null;
    case 'date':
      return type === 'date' ? `${sql}::text` : null;
    case 'timestamp':
      if (type === 'date') return timestampText(`${sql}::timestamp`, false);
      return type === 'timestamp' ? timestampText(sql, oid === TIMESTAMP_WITH_ZONE) : null;
    case 'time':
      return type === 'time' && oid !== TIME_WITH_ZONE ? `${sql}::text` : null;
    case 'bytes':
      return type === 'binary' ? `encode(${sql}, 'hex')` : null;
    case 'engine':
      return `${sql}::text`;
    case 'json':
      return null;
    default:
      return form satisfies never;
  }
}

/** Years before 1 and after 9999, and the infinities, stay as the engine writes them. */
function timestampText(sql: string, hasZone: boolean): string {
  const zone = hasZone ? '+00' : '';
  const usual = `${sql} >= '0001-01-01 00:00:00${zone}' AND ${sql} < '10000-01-01 00:00:00${zone}'`;
  const text = hasZone ? `left(${sql}::text, -3)` : `${sql}::text`;
  const other = hasZone ? `regexp_replace(${sql}::text, '\\+00( BC)?$', '\\1')` : `${sql}::text`;
  return `CASE WHEN ${usual} THEN replace(${text}, ' ', 'T') ELSE ${other} END`;
}
