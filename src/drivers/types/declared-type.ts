/** The type of a column as its engine declares it, for a table that a load makes. */
export interface DeclaredType {
  /** A load into the same engine takes `sql` as it is, where the types that it names are the engine's own. */
  readonly engine: string;
  readonly sql: string;
  /** Of whole numbers. */
  readonly bits?: 8 | 16 | 24 | 32 | 64;
  readonly unsigned?: boolean;
  /** Of decimals: all digits, and those after the point. */
  readonly precision?: number;
  readonly scale?: number;
  /** Most code points of a text. */
  readonly chars?: number;
  /** Of a timestamp or a time: whether it has a zone. */
  readonly zone?: boolean;
  readonly uuid?: boolean;
  /** Of numbers: IEEE 754 in four bytes. */
  readonly single?: boolean;
  /** The source allows no null. */
  readonly required?: boolean;
  /** Of a column of the primary key: how many columns the key has. */
  readonly keyColumns?: number;
}

/** The column where rows may come more than once by now, so that the key of its source is none. */
export function withoutKey<C extends { readonly declared?: DeclaredType }>(column: C): C {
  if (column.declared?.keyColumns === undefined) return column;
  const { keyColumns: _, ...declared } = column.declared;
  return { ...column, declared };
}
