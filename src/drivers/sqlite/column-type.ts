import type { ColumnType } from '../driver.ts';

/**
 * Declared types of tables that a load makes. A decimal column has no affinity (`BLOB` in the name says so): SQLite would
 * round longer decimals to a double otherwise. Names such as DATE keep text as it is, since it is no number.
 */
const DECLARED: Readonly<Record<ColumnType, string>> = {
  string: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  decimal: 'DECIMAL_BLOB',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  json: 'JSON_TEXT',
  binary: 'BLOB',
  unknown: '',
};

/** In STRICT tables, which have five types. Decimals keep their digits where no type is asked for. */
const STRICT: Readonly<Record<ColumnType, string>> = {
  string: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  decimal: 'ANY',
  boolean: 'INTEGER',
  date: 'TEXT',
  time: 'TEXT',
  timestamp: 'TEXT',
  json: 'TEXT',
  binary: 'BLOB',
  unknown: 'ANY',
};

export function declaredType(type: ColumnType, strict = false): string {
  return strict ? STRICT[type] : DECLARED[type];
}

/** The common type of a declared one; `unknown` for an expression, whose values tell. */
export function typeOfDeclared(declared: string | null): ColumnType {
  const text = (declared ?? '').toUpperCase();
  if (text === '') return 'unknown';
  if (isDecimal(text)) return 'decimal';
  if (text.includes('JSON')) return 'json';
  if (text.includes('BOOL')) return 'boolean';
  if (text.includes('DATETIME') || text.includes('TIMESTAMP')) return 'timestamp';
  if (text.includes('DATE')) return 'date';
  if (text.includes('TIME')) return 'time';
  if (text.includes('INT') && !text.includes('POINT')) return 'integer';
  if (/CHAR|CLOB|TEXT|STRING|UUID/.test(text)) return 'string';
  if (text.includes('BLOB')) return 'binary';
  // NUMERIC holds doubles and integers, whatever digits the declaration promises.
  return /REAL|FLOA|DOUB|NUM|DEC/.test(text) ? 'number' : 'unknown';
}

/** Of columns in which loads keep decimals with all digits. */
export function isDecimal(declared: string): boolean {
  return declared.toUpperCase().startsWith(DECLARED.decimal);
}

/** How SQLite stores what it is given in a column: https://sqlite.org/datatype3.html#determination_of_column_affinity */
export function affinityOf(declared: string): 'integer' | 'text' | 'blob' | 'real' | 'numeric' {
  const text = declared.toUpperCase();
  if (text.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(text)) return 'text';
  if (text === '' || text.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(text) ? 'real' : 'numeric';
}
