import type { ColumnType } from '../../driver.ts';
import type { DeclaredType } from '../../types/declared-type.ts';
import { nativeType } from './native-type.ts';
import { ownDecimalScale } from './own-type.ts';

/** What of a column its type is read from. */
export interface DeclaredColumn {
  /** As `information_schema` has it. */
  readonly declared: string;
  /** Of texts; null of others. */
  readonly collation: string | null;
  /** For MariaDB, where JSON is a checked text. */
  readonly isJson: boolean;
}

export const INTEGER_BITS = { tinyint: 8, smallint: 16, mediumint: 24, int: 32, bigint: 64 } as const;

export function isInteger(name: string): name is keyof typeof INTEGER_BITS {
  return Object.hasOwn(INTEGER_BITS, name);
}

/** The common type of a column. */
export function commonTypeOf({ declared, isJson }: DeclaredColumn): ColumnType {
  const { name, first } = nativeType(declared);
  if (isJson || name === 'json') return 'json';
  if (first === 1 && (name === 'bit' || (name === 'tinyint' && !/unsigned/i.test(declared))))
    return 'boolean';
  if (isInteger(name) || name === 'year' || name === 'bit') return 'integer';
  if (name === 'decimal') return 'decimal';
  if (name === 'float' || name === 'double') return 'number';
  if (name === 'date' || name === 'time') return name;
  if (name === 'datetime' || name === 'timestamp') return 'timestamp';
  if (name.endsWith('binary') || name.endsWith('blob')) return 'binary';
  return isGeometry(name) ? 'json' : 'string';
}

function isGeometry(name: string): boolean {
  return /^(geometry|point|linestring|polygon|multi|geom)/.test(name);
}

/** The type for a table that another load makes; null of geometries, which are read as what no such column takes. */
export function declaredTypeOf(column: DeclaredColumn): DeclaredType | null {
  const { declared, collation, isJson } = column;
  const { name, first, second, unsigned } = nativeType(declared);
  if (isGeometry(name)) return null;
  const sql = isJson ? 'json' : `${declared}${collation === null ? '' : ` COLLATE ${collation}`}`;
  return { engine: 'mysql', sql, ...facetsOf() };

  function facetsOf(): Partial<DeclaredType> {
    if (isInteger(name)) return { bits: INTEGER_BITS[name], unsigned };
    switch (name) {
      case 'year':
        return { bits: 16 };
      case 'bit':
        return first === null || first < 64 ? { bits: 64 } : { bits: 64, unsigned: true };
      case 'decimal':
        // Where a load has made the column, its bounds are those of the engine.
        return second === ownDecimalScale ? {} : { precision: first ?? 10, scale: second ?? 0, unsigned };
      case 'float':
        return { single: true };
      case 'char':
      case 'varchar':
        return { chars: first ?? 1 };
      case 'datetime':
        return { zone: false };
      case 'timestamp':
        return { zone: true };
      case 'time':
        return { zone: false };
      case 'uuid':
        return { uuid: true };
      default:
        return {};
    }
  }
}
