/** A row that an operation refuses: `on_error` acts on it. */
export class RowError extends Error {
  readonly code: string;
  /** The column that does not fit, or null where no single one does. */
  column: string | null;
  readonly value: unknown;

  constructor(code: string, message: string, column: string | null = null, value: unknown = null) {
    super(message);
    this.name = 'RowError';
    this.code = code;
    this.column = column;
    this.value = value;
  }
}
