/** What the engines write differently, for the builders of this room. */
export interface SqlFlavor {
  /** The n-th bound value, from 1: `?` or `$1`. */
  placeholder(index: number): string;
  /** True where the text of the quoted `column` holds `text`, whatever the case; `bind` gives a value's placeholder. */
  contains(column: string, text: string, bind: (value: string) => string): string;
  /** A term of ORDER BY, nulls last, and first when descending. Default: in the words of SQL, `NULLS LAST`. */
  orderTerm?(column: string, descending: boolean): string;
  /** In a list of VALUES, what gives a column its default; absent where there is no such word. */
  readonly defaultWord?: string;
  /** A value of an argument as the engine's client takes it. */
  bind(value: unknown): unknown;
  /** Throws `CONFIG` where two names of columns are one, and the engine would not say so. */
  requireDistinct?(names: readonly string[]): void;
  /** A quoted column as it goes into a page's cursor, exact, so that a comparison with it loses nothing. */
  cursorValue(column: string): string;
  /** A value of a cursor, as JSON gave it back, as it is bound. */
  fromCursor(value: unknown): unknown;
}

/** Collects bound values while a statement is written. */
export class BoundValues {
  readonly values: unknown[] = [];
  readonly flavor: SqlFlavor;

  constructor(flavor: SqlFlavor) {
    this.flavor = flavor;
  }

  /** Binds a value that a cursor held. */
  addFromCursor(value: unknown): string {
    return this.add(this.flavor.fromCursor(value));
  }

  /** Binds `value`; returns its placeholder. */
  add(value: unknown): string {
    this.values.push(this.flavor.bind(value));
    return this.flavor.placeholder(this.values.length);
  }
}

/** A statement and its bound values. */
export interface SqlStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}
