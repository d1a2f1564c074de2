import type { Focus } from 'jsonata';
import { ExactNumber } from '../../../base/values/exact-number.ts';
import { builtIns } from '../compile/built-ins.ts';
import { isDeepEqual } from '../compile/values.ts';
import { withDoubles, withoutExact } from '../exact/plain-number.ts';
import { setOwn } from '../plain-result.ts';
import type { BuiltIn } from './call-sites.ts';
import { sortValues } from './exact-tree.ts';
import { createSequence } from './keep-input.ts';

interface Signature {
  validate(args: readonly unknown[], context: unknown): readonly unknown[];
}

type Implementation = (this: Focus, ...args: readonly unknown[]) => unknown;

/** Functions that are given a function, and ask whether what it gives is true. */
const ASKING: ReadonlySet<string> = new Set(['filter', 'single', 'sift', 'sort']);

/** Functions that make exact numbers of what is none. */
export const MAKING: ReadonlySet<string> = new Set(['number']);

/** A built-in function of jsonata's, for values of which some may be exact numbers. */
export function exactly(name: string, builtIn: BuiltIn): BuiltIn {
  const implementation = builtIn['implementation'] as Implementation;
  const signature = builtIn['signature'] as Signature | undefined;
  const compiled = exactCall(name);
  const plain: Implementation = function (...args) {
    const given = ASKING.has(name) ? args.map(withPlainAnswer) : args;
    return implementation.apply(
      this,
      signature === undefined ? [...given] : [...signature.validate(given, this.input)],
    );
  };
  const call: Implementation = function (...args) {
    const isExact =
      compiled !== null && (MAKING.has(name) || args.some(holdsExact) || holdsExact(this.input));
    return isExact && !args.some((argument) => typeof argument === 'function')
      ? compiled.call(this, args)
      : plain.apply(this, [...args]);
  };
  // jsonata reads the number of parameters, and their names for a partial application.
  Object.defineProperty(call, 'length', { value: implementation.length });
  Object.defineProperty(call, 'toString', { value: () => implementation.toString() });
  return { ...builtIn, implementation: call, signature: undefined };
}

/** What it does where exact numbers are among its arguments; null where that is what it always does. */
function exactCall(name: string): ((this: Focus, args: readonly unknown[]) => unknown) | null {
  if (name === 'sort')
    return function ([list]) {
      return sortValues.call(this, list);
    };
  const builtIn = builtIns.get(name);
  if (builtIn === undefined) return null;
  const call = builtIn.exact === true ? builtIn.call : withDoubles(builtIn.call);
  return function (args) {
    return call(...builtIn.check([...args], this.input));
  };
}

/** The functions that take values apart, or compare them deeply, whatever they are given. */
export const wholeFunctions = {
  distinct: { call: distinct, signature: '<x:x>' },
  clone: { call: clone, signature: '<(oa)-:o>' },
} as const;

function distinct(this: Focus, list: unknown): unknown {
  if (!Array.isArray(list) || list.length <= 1) return list;
  const kept: unknown[] = 'sequence' in list ? createSequence(this) : [];
  for (const value of list) if (!kept.some((one) => isDeepEqual(one, value))) kept.push(value);
  return kept;
}

function clone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clone);
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, clone((value as Record<string, unknown>)[key]));
  return copy;
}

function withPlainAnswer(argument: unknown): unknown {
  if (typeof argument !== 'function') return argument;
  const call = async (...args: readonly unknown[]) => withoutExact(await argument(...args));
  return Object.assign(call, { arity: (argument as { arity?: unknown }).arity });
}

/** An exact number, or a list in which one is. */
function holdsExact(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => one instanceof ExactNumber);
  return value instanceof ExactNumber;
}
