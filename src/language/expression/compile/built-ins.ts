import { ExactNumber } from '../../../base/values/exact-number.ts';
import { formatNumber } from '../exact/format-number.ts';
import { setOwn } from '../plain-result.ts';
import { jsonataFunction } from './jsonata-function.ts';
import { numberFunctions } from './number-functions.ts';
import { type BuiltInSpec, type CheckArguments, createSignature, type Parameter } from './signature.ts';
import { stringFunctions } from './string-functions.ts';
import { toMillis } from './to-millis.ts';
import { append, lookup, presentKeys, toBoolean, unwrap } from './values.ts';

/* Functions whose rules are long (pictures of dates and numbers, escapes of addresses) are jsonata's own. */

const textOrContext: Parameter = { types: 's', context: true };
const numberOrContext: Parameter = { types: 'n', context: true };
const text: Parameter = { types: 's' };
const optionalText: Parameter = { types: 's', optional: true };

const signatures: Readonly<Record<string, readonly Parameter[]>> = {
  fromMillis: [numberOrContext, optionalText, optionalText],
  formatBase: [numberOrContext, { types: 'n', optional: true }],
  formatInteger: [numberOrContext, text],
  parseInteger: [textOrContext, text],
  base64encode: [textOrContext],
  base64decode: [textOrContext],
  encodeUrlComponent: [textOrContext],
  encodeUrl: [textOrContext],
  decodeUrlComponent: [textOrContext],
  decodeUrl: [textOrContext],
};

const jsonataFunctions: Readonly<Record<string, BuiltInSpec>> = Object.fromEntries(
  await Promise.all(
    Object.entries(signatures).map(async ([name, parameters]) => [
      name,
      { parameters, call: await jsonataFunction(name) },
    ]),
  ),
);

export interface BuiltIn extends Omit<BuiltInSpec, 'parameters'> {
  readonly check: CheckArguments;
}

const typeOf = await jsonataFunction('type');

const anything: Parameter = { types: 'x' };
const anythingOrContext: Parameter = { types: 'x', context: true };

const otherFunctions: Readonly<Record<string, BuiltInSpec>> = {
  boolean: { parameters: [anythingOrContext], call: toBoolean, exact: true },
  not: {
    parameters: [anythingOrContext],
    call: (value: unknown) => (value === undefined ? undefined : !toBoolean(value)),
    exact: true,
  },
  exists: { parameters: [anything], call: (value: unknown) => value !== undefined, exact: true },
  type: {
    parameters: [anything],
    call: (value: unknown) => (value instanceof ExactNumber ? 'number' : typeOf(value)),
    exact: true,
  },
  formatNumber: {
    parameters: [numberOrContext, text, { types: 'o', optional: true }],
    call: formatNumber,
    exact: true,
  },
  count: {
    parameters: [{ types: 'a' }],
    call: (list: readonly unknown[] | undefined) => (list === undefined ? 0 : list.length),
  },
  append: { parameters: [anything, anything], call: append, exact: true },
  keys: { parameters: [anythingOrContext], call: (value: unknown) => unwrap(keysOf(value)), exact: true },
  lookup: { parameters: [anythingOrContext, { types: 's' }], call: lookupKey, exact: true },
  merge: { parameters: [{ types: 'a', elements: 'o' }], call: merge },
  toMillis: { parameters: [textOrContext, optionalText], call: toMillis },
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
  return value !== null && typeof value === 'object' ? presentKeys(value) : [];
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
    for (const key of presentKeys(object)) setOwn(merged, key, object[key]);
  }
  return merged;
}
