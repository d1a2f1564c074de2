import jsonata from 'jsonata';
import { ExpressionFailure } from '../expression-failure.ts';
import { setOwn } from '../plain-result.ts';
import { numberFunctions } from './number-functions.ts';
import { type BuiltInSpec, type CheckArguments, createSignature, type Parameter } from './signature.ts';
import { stringFunctions } from './string-functions.ts';
import { append, lookup, toBoolean, unwrap } from './values.ts';

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

const jsonataFunctions: Readonly<Record<string, BuiltInSpec>> = Object.fromEntries(
  await Promise.all(Object.entries(signatures).map(([name, parameters]) => load(name, parameters))),
);

export interface BuiltIn extends Omit<BuiltInSpec, 'parameters'> {
  readonly check: CheckArguments;
}

const anything: Parameter = { types: 'x' };
const anythingOrContext: Parameter = { types: 'x', context: true };

const otherFunctions: Readonly<Record<string, BuiltInSpec>> = {
  boolean: { parameters: [anythingOrContext], call: toBoolean },
  not: {
    parameters: [anythingOrContext],
    call: (value: unknown) => (value === undefined ? undefined : !toBoolean(value)),
  },
  exists: { parameters: [anything], call: (value: unknown) => value !== undefined },
  count: {
    parameters: [{ types: 'a' }],
    call: (list: readonly unknown[] | undefined) => (list === undefined ? 0 : list.length),
  },
  append: { parameters: [anything, anything], call: append },
  keys: { parameters: [anythingOrContext], call: (value: unknown) => unwrap(keysOf(value)) },
  lookup: { parameters: [anythingOrContext, { types: 's' }], call: lookupKey },
  merge: { parameters: [{ types: 'a', elements: 'o' }], call: merge },
};

/** The functions that the compiled path knows, by name. */
export const builtIns: ReadonlyMap<string, BuiltIn> = new Map(
  Object.entries({ ...stringFunctions, ...numberFunctions, ...jsonataFunctions, ...otherFunctions }).map(
    ([name, spec]) => {
      const { parameters, ...rest } = spec;
      return [name, { ...rest, check: createSignature(parameters) }];
    },
  ),
);

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return Object.keys(Object.assign(Object.create(null), ...value.map(keySet)));
  return value !== null && typeof value === 'object' ? Object.keys(value) : [];
}

function keySet(value: unknown): Record<string, true> {
  const set: Record<string, true> = Object.create(null);
  for (const key of keysOf(value)) set[key] = true;
  return set;
}

function lookupKey(value: unknown, key: string | undefined): unknown {
  return lookup(value, String(key));
}

function merge(objects: readonly Record<string, unknown>[] | undefined): unknown {
  if (objects === undefined) return undefined;
  const merged: Record<string, unknown> = {};
  for (const object of objects) {
    for (const key of Object.keys(object)) setOwn(merged, key, object[key]);
  }
  return merged;
}
