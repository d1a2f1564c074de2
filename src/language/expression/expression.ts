import type { TimeNames } from './times/time-names.ts';

/** Limits of one evaluation. */
export interface ExpressionLimits {
  /** Wall time of one evaluation in milliseconds, default 1,000. */
  readonly timeoutMs: number;
  /** Nesting of function calls, default 200. */
  readonly depthMax: number;
  /** Longest sequence an expression may build (`[1..n]`), default 1,000,000. */
  readonly sequenceMax: number;
  /** Longest source text in characters, default 16,384. */
  readonly sourceMax: number;
}

/** Where an expression cannot be parsed. `position` counts characters from 0 into its source. */
export interface ExpressionProblem {
  readonly message: string;
  readonly position: number;
}

/** Names that an expression reads from: `item`, `args`, `job_config`, `steps` and so on. */
export type Scope = Readonly<Record<string, unknown>>;

/** A compiled expression: stateless, reusable, and safe to keep for as long as its document. */
export interface Expression {
  readonly source: string;
  /** Top-level names that it reads; `item` among them makes a `when` per item. */
  readonly names: ReadonlySet<string>;
  /**
   * Synchronous evaluation, or null where this expression needs jsonata's interpreter, which is asynchronous. The answer is
   * the same as `evaluate`'s. Hot loops call it and fall back.
   */
  readonly evaluateSync: ((scope: Scope) => unknown) | null;
  /** `undefined` where the expression finds nothing. Throws `ExpressionError`. The answer is plain JSON, never a function. */
  evaluate(scope: Scope): Promise<unknown>;
  /**
   * The same expression for values of rows: these names hold times, which it compares as times, and numbers that a double does not hold
   * come out as `ExactNumber`. Elsewhere those are their text, as in rows.
   */
  forRows(names: TimeNames): Expression;
}

export interface ExpressionErrorOptions {
  readonly source?: string;
  readonly token?: string;
  readonly position?: number;
  readonly value?: unknown;
  readonly cause?: unknown;
}

/** Thrown by evaluation; `code` is jsonata's (`D1001`) or `TIMEOUT`, `DEPTH`, `SEQUENCE`, `RESULT`. */
export class ExpressionError extends Error {
  readonly code: string;
  /** Where the function or operator that failed begins, in characters from 0; undefined where that is not certain. */
  readonly position: number | undefined;
  /** The text, number, true, false or null that it was given, where there is one that does not fit; else undefined. */
  readonly value: unknown;
  /** The column that the expression was to set, once it is known; else null. */
  column: string | null = null;
  readonly #token: string | null;
  readonly #source: string;

  constructor(code: string, message: string, options: ExpressionErrorOptions = {}) {
    const { source = '', token = null, position, value, cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ExpressionError';
    this.code = code;
    this.position = position;
    this.value = value;
    this.#token = token;
    this.#source = source;
  }

  /** What failed and where, such as `$toMillis at column 12 of the expression of "day"`; null where nothing is known. */
  get place(): string | null {
    const of = this.column === null ? 'the expression' : `the expression of "${this.column}"`;
    const at = this.#at();
    if (at !== null) return `${this.#token ?? ''} at ${at} of ${of}`.trimStart();
    if (this.#token !== null) return `${this.#token} in ${of}`;
    return this.column === null ? null : of;
  }

  /** Lines and columns count from 1. */
  #at(): string | null {
    if (this.position === undefined) return null;
    const lines = this.#source.slice(0, this.position).split('\n');
    const column = `column ${(lines.at(-1) ?? '').length + 1}`;
    return this.#source.trimEnd().includes('\n') ? `line ${lines.length}, ${column}` : column;
  }
}
