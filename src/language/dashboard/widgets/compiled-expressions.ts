import { type Expression, ExpressionError } from '../../expression/expression.ts';
import { parseExpression } from '../../expression/parse-expression.ts';

const EXPRESSIONS_MAX = 2_000;

/** Compiled expressions by their text, bounded; the one that was compiled first goes first. */
export class CompiledExpressions {
  readonly #known = new Map<string, Expression>();

  /** Throws `ExpressionError` for a text that does not parse. */
  of(source: string): Expression {
    const known = this.#known.get(source);
    if (known) return known;
    const parsed = parseExpression(source);
    if (!parsed.ok) {
      throw new ExpressionError('PARSE', parsed.problem.message, { position: parsed.problem.position });
    }
    if (this.#known.size >= EXPRESSIONS_MAX) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(source, parsed.expression);
    return parsed.expression;
  }
}
