import { ExactNumber, exactNumber } from '../../../base/values/exact-number.ts';
import {
  type AnyNumber,
  averageOf,
  compareNumbers,
  magnitude,
  powerOf,
  rootOf,
  roundedTo,
  totalOf,
  wholeAbove,
  wholeBelow,
} from '../exact/exact-arithmetic.ts';
import { ExpressionFailure } from '../expression-failure.ts';
import type { BuiltInSpec, Parameter } from './signature.ts';

const numberOrContext: Parameter = { types: 'n', context: true };
const numbers: Parameter = { types: 'a', elements: 'n' };

type Numbers = readonly AnyNumber[] | undefined;
type Maybe = AnyNumber | undefined;

export const numberFunctions: Readonly<Record<string, BuiltInSpec>> = {
  number: { parameters: [{ types: 'nsb', context: true }], call: toNumber, direct: 'number', exact: true },
  abs: { parameters: [numberOrContext], call: ofNumber(Math.abs, magnitude), direct: 'number', exact: true },
  floor: {
    parameters: [numberOrContext],
    call: ofNumber(Math.floor, wholeBelow),
    direct: 'number',
    exact: true,
  },
  ceil: {
    parameters: [numberOrContext],
    call: ofNumber(Math.ceil, wholeAbove),
    direct: 'number',
    exact: true,
  },
  round: {
    parameters: [numberOrContext, { types: 'n', optional: true }],
    call: round,
    direct: 'number',
    exact: true,
  },
  power: { parameters: [numberOrContext, { types: 'n' }], call: power, exact: true },
  sqrt: { parameters: [numberOrContext], call: squareRoot, direct: 'number', exact: true },
  sum: { parameters: [numbers], call: (list: Numbers) => (list === undefined ? undefined : total(list)) },
  max: { parameters: [numbers], call: (list: Numbers) => extreme(list, Math.max, 1) },
  min: { parameters: [numbers], call: (list: Numbers) => extreme(list, Math.min, -1) },
  average: {
    parameters: [numbers],
    call: (list: Numbers) => (list === undefined || list.length === 0 ? undefined : average(list)),
  },
};

function ofNumber(apply: (value: number) => number, exactly: (value: ExactNumber) => AnyNumber) {
  return (value: Maybe): Maybe => {
    if (value === undefined) return undefined;
    return typeof value === 'number' ? apply(value) : exactly(value);
  };
}

/** Doubles are added as doubles, unless an exact number is among them. */
function total(list: readonly AnyNumber[]): AnyNumber {
  let sum = 0;
  for (const value of list) {
    if (typeof value !== 'number') return totalOf(list);
    sum += value;
  }
  return sum;
}

function average(list: readonly AnyNumber[]): AnyNumber {
  const sum = total(list);
  const isExact = typeof sum !== 'number' || list.some((value) => typeof value !== 'number');
  return isExact ? averageOf(list) : sum / list.length;
}

/** The greatest where `sign` is 1, the least where it is -1; of those that are equal, the first. */
function extreme(list: Numbers, pick: (a: number, b: number) => number, sign: 1 | -1): Maybe {
  if (list === undefined || list.length === 0) return undefined;
  let result = list[0] as AnyNumber;
  for (const value of list) {
    if (typeof result === 'number' && typeof value === 'number') result = pick(result, value);
    else if (compareNumbers(value, result) === sign) result = value;
  }
  return result;
}

/** Of text that has no more, a double gives all of them back. */
const DOUBLE_DIGITS = 15;
const WHOLE = /^-?\d+$/;
const decimal = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/;
// The alternatives are not grouped in jsonata's own pattern either: text that only starts like a hexadecimal number gives NaN.
const otherBase = /^(0[xX][0-9A-Fa-f]+)|(0[oO][0-7]+)|(0[bB][0-1]+)$/;

/** Text with digits that a double has no place for is an exact number. */
function toNumber(value: unknown): Maybe {
  if (value instanceof ExactNumber) return value;
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'number':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'string':
      if (decimal.test(value) && Number.isFinite(Number(value))) return numberOfText(value);
      if (otherBase.test(value)) return Number(value);
      break;
    default:
  }
  throw new ExpressionFailure('D3030', value);
}

function numberOfText(text: string): AnyNumber {
  const double = Number.parseFloat(text);
  if (text.length <= DOUBLE_DIGITS) return double;
  const exact = exactNumber(text, WHOLE.test(text) ? 'integer' : 'decimal');
  return exact === null || compareNumbers(exact, double) === 0 ? double : exact;
}

/** Half to even, at a decimal place; digits are moved in text, because a multiplication would add an error of its own. */
function round(value: Maybe, places: Maybe): Maybe {
  if (value === undefined) return undefined;
  const precision = places instanceof ExactNumber ? Number(places.text) : places;
  if (typeof value !== 'number') return roundedTo(value, precision);
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

function power(base: Maybe, exponent: AnyNumber): Maybe {
  if (base === undefined) return undefined;
  if (typeof base !== 'number' || typeof exponent !== 'number') return powerOf(base, exponent);
  const result = base ** exponent;
  if (!Number.isFinite(result)) throw new ExpressionFailure('D3061', base);
  return result;
}

function squareRoot(value: Maybe): Maybe {
  if (value === undefined) return undefined;
  if (compareNumbers(value, 0) < 0) throw new ExpressionFailure('D3060', value);
  return typeof value === 'number' ? Math.sqrt(value) : rootOf(value);
}
