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
}

/** Thrown by evaluation; `code` is jsonata's (`D1001`) or `TIMEOUT`, `DEPTH`, `SEQUENCE`, `RESULT`. */
export class ExpressionError extends Error {
  readonly code: string;
  readonly position: number | undefined;

  constructor(code: string, message: string, options: { position?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ExpressionError';
    this.code = code;
    this.position = options.position;
  }
}
