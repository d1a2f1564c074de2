import jsonata from 'jsonata';
import { ExpressionFailure } from '../expression-failure.ts';

type Implementation = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A function of jsonata's own, for use outside of it. It does not export them, but an expression that is a function's name gives that
 * function. Only those that are synchronous and take and give plain values are of use. What it throws is an `ExpressionFailure`.
 */
export async function jsonataFunction(name: string): Promise<(...args: unknown[]) => unknown> {
  const { implementation } = (await jsonata(`$${name}`).evaluate({})) as { implementation: Implementation };
  return (...args) => {
    try {
      return implementation.apply({ environment: { timestamp: new Date() } }, args);
    } catch (thrown) {
      const { code, value } = thrown as { code?: unknown; value?: unknown };
      throw typeof code === 'string' ? new ExpressionFailure(code, value) : thrown;
    }
  };
}
