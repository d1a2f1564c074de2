import { ExpressionFailure } from '../expression-failure.ts';
import type { BuiltInSpec, Parameter } from './signature.ts';

const numberOrContext: Parameter = { types: 'n', context: true };
const numbers: Parameter = { types: 'a', elements: 'n' };

type Numbers = readonly number[] | undefined;

export const numberFunctions: Readonly<Record<string, BuiltInSpec>> = {
  number: { parameters: [{ types: 'nsb', context: true }], call: toNumber, direct: 'number' },
  abs: { parameters: [numberOrContext], call: ofNumber(Math.abs), direct: 'number' },
  floor: { parameters: [numberOrContext], call: ofNumber(Math.floor), direct: 'number' },
  ceil: { parameters: [numberOrContext], call: ofNumber(Math.ceil), direct: 'number' },
  round: { parameters: [numberOrContext, { types: 'n', optional: true }], call: round, direct: 'number' },
  power: { parameters: [numberOrContext, { types: 'n' }], call: power },
  sqrt: { parameters: [numberOrContext], call: squareRoot, direct: 'number' },
  sum: { parameters: [numbers], call: (list: Numbers) => (list === undefined ? undefined : total(list)) },
  max: { parameters: [numbers], call: (list: Numbers) => reduceNumbers(list, Math.max) },
  min: { parameters: [numbers], call: (list: Numbers) => reduceNumbers(list, Math.min) },
  average: {
    parameters: [numbers],
    call: (list: Numbers) =>
      list === undefined || list.length === 0 ? undefined : total(list) / list.length,
  },
};

function ofNumber(apply: (value: number) => number) {
  return (value: number | undefined): number | undefined => (value === undefined ? undefined : apply(value));
}

function total(list: readonly number[]): number {
  let sum = 0;
  for (const value of list) sum += value;
  return sum;
}

function reduceNumbers(list: Numbers, pick: (a: number, b: number) => number): number | undefined {
  if (list === undefined || list.length === 0) return undefined;
  let result = list[0] as number;
  for (const value of list) result = pick(result, value);
  return result;
}

const decimal = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/;
// The alternatives are not grouped in jsonata's own pattern either: text that only starts like a hexadecimal number gives NaN.
const otherBase = /^(0[xX][0-9A-Fa-f]+)|(0[oO][0-7]+)|(0[bB][0-1]+)$/;

function toNumber(value: unknown): number | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'number':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'string':
      if (decimal.test(value) && Number.isFinite(Number(value))) return Number.parseFloat(value);
      if (otherBase.test(value)) return Number(value);
      break;
    default:
  }
  throw new ExpressionFailure('D3030', value);
}

/** Half to even, at a decimal place; digits are moved in text, because a multiplication would add an error of its own. */
function round(value: number | undefined, precision: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const shifted = precision ? shift(value, precision) : value;
  let rounded = Math.round(shifted);
  if (Math.abs(rounded - shifted) === 0.5 && Math.abs(rounded % 2) === 1) rounded -= 1;
  const result = precision ? shift(rounded, -precision) : rounded;
  return result === 0 ? 0 : result;
}

function shift(value: number, places: number): number {
  const [digits, exponent] = value.toString().split('e');
  return Number(`${digits}e${exponent ? Number(exponent) + places : places}`);
}

function power(base: number | undefined, exponent: number): number | undefined {
  if (base === undefined) return undefined;
  const result = base ** exponent;
  if (!Number.isFinite(result)) throw new ExpressionFailure('D3061', base);
  return result;
}

function squareRoot(value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (value < 0) throw new ExpressionFailure('D3060', value);
  return Math.sqrt(value);
}
