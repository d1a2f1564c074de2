import jsonata from 'jsonata';
import { ExpressionFailure } from '../expression-failure.ts';
import type { BuiltInSpec, Parameter } from './signature.ts';

/*
 * Functions whose rules are long (pictures of dates and numbers, escapes of addresses) are jsonata's own. It does not export them, but
 * an expression that is a function's name gives that function. Only those that are synchronous and take and give plain values are here.
 */

const textOrContext: Parameter = { types: 's', context: true };
const numberOrContext: Parameter = { types: 'n', context: true };
const text: Parameter = { types: 's' };
const optionalText: Parameter = { types: 's', optional: true };

const signatures: Readonly<Record<string, readonly Parameter[]>> = {
  toMillis: [textOrContext, optionalText],
  fromMillis: [numberOrContext, optionalText, optionalText],
  formatNumber: [numberOrContext, text, { types: 'o', optional: true }],
  formatBase: [numberOrContext, { types: 'n', optional: true }],
  formatInteger: [numberOrContext, text],
  parseInteger: [textOrContext, text],
  base64encode: [textOrContext],
  base64decode: [textOrContext],
  encodeUrlComponent: [textOrContext],
  encodeUrl: [textOrContext],
  decodeUrlComponent: [textOrContext],
  decodeUrl: [textOrContext],
  type: [{ types: 'x' }],
};

type Implementation = (this: unknown, ...args: unknown[]) => unknown;

async function load(name: string, parameters: readonly Parameter[]): Promise<[string, BuiltInSpec]> {
  const found = (await jsonata(`$${name}`).evaluate({})) as { implementation: Implementation };
  const { implementation } = found;
  const call = (...args: unknown[]): unknown => {
    try {
      return implementation.apply({ environment: { timestamp: new Date() } }, args);
    } catch (thrown) {
      const { code, value } = thrown as { code?: unknown; value?: unknown };
      throw typeof code === 'string' ? new ExpressionFailure(code, value) : thrown;
    }
  };
  return [name, { parameters, call }];
}

export const jsonataFunctions: Readonly<Record<string, BuiltInSpec>> = Object.fromEntries(
  await Promise.all(Object.entries(signatures).map(([name, parameters]) => load(name, parameters))),
);
