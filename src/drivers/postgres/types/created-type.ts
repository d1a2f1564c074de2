import type { Column, ColumnType } from '../../driver.ts';
import type { DeclaredType } from '../../types/declared-type.ts';

/** Types of tables that a load makes, of values whose source declares none. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'text',
  integer: 'bigint',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp with time zone',
  json: 'jsonb',
  binary: 'bytea',
  unknown: 'text',
};

/** https://www.postgresql.org/docs/current/datatype-character.html and …/datatype-numeric.html. */
const varcharMax = 10_485_760;
const precisionMax = 1_000;

/** The type of a column that a load makes: as the source declares it, or the nearest that holds all that the source's type does. */
export function createdType({ type, declared }: Pick<Column, 'type' | 'declared'>): string {
  if (declared === undefined) return TYPES[type];
  if (declared.engine === 'postgres') return declared.sql;
  return nearest(type, declared) ?? TYPES[type];
}

function nearest(type: ColumnType, declared: DeclaredType): string | null {
  const { chars, precision, scale = 0, zone } = declared;
  switch (type) {
    case 'integer':
      return wholeType(declared);
    case 'decimal':
      return precision === undefined || precision > precisionMax || scale > precision
        ? null
        : `numeric(${precision},${scale})`;
    case 'number':
      return declared.single === true ? 'real' : null;
    case 'string':
      if (declared.uuid === true) return 'uuid';
      return chars === undefined || chars < 1 || chars > varcharMax ? null : `character varying(${chars})`;
    case 'timestamp':
      return zone === false ? 'timestamp without time zone' : null;
    case 'time':
      return zone === true ? 'time with time zone' : null;
    default:
      return null;
  }
}

function wholeType({ bits, unsigned = false }: DeclaredType): string | null {
  // Of the same width, numbers without a sign reach one bit farther.
  const needed = bits === undefined ? 64 : bits + (unsigned ? 1 : 0);
  if (needed <= 16) return 'smallint';
  if (needed <= 32) return 'integer';
  return needed <= 64 ? 'bigint' : 'numeric(20,0)';
}
