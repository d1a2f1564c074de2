/** How the engine reads a file by itself, as SQL. Columns go by their place; what reads a value that is not as expected fails. */
export interface EngineFileSql {
  /** The name of a column in `source`, which nothing else has. */
  raw(at: number): string;
  /** The engine's type of a column. */
  typeOf(at: number): string;
  /** Whether the engine, which finds values of a type in a column of `source`, has those that the driver's own reader finds. */
  readsAs(at: number, found: string): boolean;
  /** What a statement reads from. */
  source(): string;
  /** The value of a column as the driver's own reader gives it. */
  checked(at: number): string;
}

export const NOT_AS_EXPECTED = 'a value does not have the form of its column';
