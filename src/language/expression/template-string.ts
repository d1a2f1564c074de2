import type { Scope } from './expression.ts';

/**
 * A value of a document in which strings may hold `{{ expression }}`, compiled. A string that is one `{{ … }}` and nothing
 * else gives the expression's value with its type; otherwise values are put into the text (`null` and nothing as empty).
 */
export interface Template {
  /** The value as written in the document. */
  readonly source: unknown;
  /** Top-level names that its expressions read. */
  readonly names: ReadonlySet<string>;
  /** A fresh value with every expression evaluated. Throws `ExpressionError`. */
  render(scope: Scope): Promise<unknown>;
}
