import type { Row } from '../../drivers/driver.ts';
import type { Expression } from '../../language/expression/expression.ts';

/** One row of a `field_mapping` entry of `job_config`, its transform compiled. */
export interface MappedField {
  readonly source: string;
  readonly target: string;
  /** Reads `item` and `value` (the source field's, nothing where that is null); null for a plain copy. */
  readonly transform: Expression | null;
}

/**
 * Reads `source` from a row: the column of that name or, where there is none and the name has dots, the value inside nested
 * objects (`address.city`).
 */
export function fieldReader(source: string, columns: ReadonlySet<string>): (row: Row) => unknown {
  if (columns.has(source) || !source.includes('.')) return (row) => row[source];
  const parts = source.split('.');
  return (row) => {
    let value: unknown = row;
    for (const part of parts) {
      if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
      value = (value as Row)[part];
    }
    return value;
  };
}
