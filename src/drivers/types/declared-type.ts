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
}
