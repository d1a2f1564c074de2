import { ExactNumber } from '../../base/values/exact-number.ts';
import { ExpressionError } from './expression.ts';
import { placedToken } from './interpret/call-sites.ts';

/** Longest message of an expression's failure, in characters: jsonata's own may quote a whole value. */
const messageMax = 500;

/** What jsonata throws, and what the compiled path throws: an object with a code, completed on its way out. */
export class ExpressionFailure {
  readonly code: string;
  readonly value: unknown;
  token: string | undefined;
  position: number | undefined;
  /** Which argument, from 1. */
  readonly index: number | undefined;

  constructor(code: string, value?: unknown, position?: number, token?: string, index?: number) {
    this.code = code;
    this.value = value;
    this.position = position;
    this.token = token;
    this.index = index;
  }
}

const limitCodes: Readonly<Record<string, string>> = {
  D1011: 'DEPTH',
  D1012: 'TIMEOUT',
  D2014: 'SEQUENCE',
  D2015: 'SEQUENCE',
};

/** Operators that never fail themselves: jsonata names them for what fails on their right side. */
const CONNECTIVES: ReadonlySet<unknown> = new Set(['and', 'or']);

/** Messages of the codes that the compiled path throws, and the interpreter too; `{token}` is the operator or function. */
const messages: Readonly<Record<string, string>> = {
  DIGITS: 'a number has more than 10,000 digits',
  DIGITS_LOST: '"{token}" was given a number with more digits than it can take; round it before',
  NUMBER_TEXT:
    'one side of "{token}" is a number and the other is text; compare it with a number, or the text of both by $string',
  TIME: 'one side of "{token}" is a column of times, and the other is text that is no time of its kind',
  DATE: '"{token}" was given a date or time that does not exist',
  D1001: 'a number is out of range',
  D1002: 'cannot negate a value that is not a number',
  D1009: 'several keys of one object are the same',
  D1013: 'a key of an object has a reserved name',
  D3001: 'cannot make a string of a number that is out of range',
  D3010: 'the second argument of "{token}" must not be empty',
  D3011: 'the fourth argument of "{token}" must not be negative',
  D3020: 'the third argument of "{token}" must not be negative',
  D3030: 'cannot make a number of the argument of "{token}"',
  D3060: '"{token}" cannot be applied to a negative number',
  D3061: '"{token}" returns a number that is out of range',
  D3080: 'the picture of "{token}" has more than one ";"',
  D3100: 'the radix of "{token}" must be between 2 and 36',
  D3110: 'the argument of "{token}" must be an ISO 8601 timestamp',
  D3140: 'the address given to "{token}" is malformed',
  T0410: 'argument {index} of "{token}" has the wrong type',
  T0411:
    'the first argument of "{token}" has the wrong type, and so has the value that would take its place if it were left out',
  T0412: 'an argument of "{token}" must be an array of one type',
  T1006: '"{token}" is not a function',
  T1003: 'a key of an object must be a string',
  T2001: 'the left side of "{token}" must be a number',
  T2002: 'the right side of "{token}" must be a number',
  T2003: 'the left side of ".." must be a whole number',
  T2004: 'the right side of ".." must be a whole number',
  T2009: 'the two sides of "{token}" must both be numbers or both be strings',
  T2010: 'the two sides of "{token}" must be numbers or strings',
};

/** Codes of pictures of numbers and times that do not hold together. */
const PICTURE_CODES = /^D3(?:08[1-9]|09\d|13[0-6])$/;
const PICTURE = 'the picture of "{token}" cannot be read';

/** Functions refuse null, which is what a missing value in a row is. */
const NULLS: Readonly<Record<string, string>> = {
  T0410: 'argument {index} of "{token}" is null; guard against null, as in "item.x ? {token}(…)"',
  T0411: 'the value before ".{token}()" is null; guard against null, as in "item.x ? item.x.{token}()"',
};

const limitMessages: Readonly<Record<string, string>> = {
  DEPTH: 'the expression nests too deeply; make its recursion shallower',
  TIMEOUT: 'the expression took too long; make it do less per evaluation',
  SEQUENCE: 'the expression builds a sequence or text that is too long; select less',
};

/** What jsonata and the compiled path have thrown, as far as anything is known of it. */
interface Thrown {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly value?: unknown;
  readonly position?: unknown;
  readonly token?: unknown;
  readonly index?: unknown;
}

/**
 * The error for the caller, from whatever the evaluation of `source` threw; it reads the same whether the expression was compiled or
 * interpreted. An `ExpressionError` is returned as it is.
 */
export function toExpressionError(thrown: unknown, source: string): ExpressionError {
  if (thrown instanceof ExpressionError) return thrown;
  if (thrown instanceof RangeError) {
    const code = thrown.message.includes('call stack') ? 'DEPTH' : 'SEQUENCE';
    return new ExpressionError(code, limitMessages[code] ?? code, { cause: thrown });
  }
  const { failure, start } = unplaced((thrown ?? {}) as Thrown);
  if (typeof failure.code !== 'string') {
    return new ExpressionError('RESULT', 'the expression cannot be evaluated on this data', {
      cause: thrown,
    });
  }
  const code = limitCodes[failure.code] ?? failure.code;
  const token = tokenOf(failure);
  const own = ownMessage(code, failure, token);
  const given = typeof failure.message === 'string' ? failure.message : null;
  const message = limitMessages[code] ?? own ?? given ?? `the expression failed with ${code}`;
  const position = start ?? tokenStart(source, token, failure.position);
  return new ExpressionError(code, message.slice(0, messageMax), {
    source,
    cause: thrown,
    ...(token !== null && { token }),
    ...(position !== null && { position }),
    ...(isShort(failure.value) && { value: plainValue(failure.value) }),
  });
}

/** The message of a code with the function or operator in it; undefined for a code that has none. */
function ownMessage(code: string, { value, index }: Thrown, token: string | null): string | undefined {
  const ofNull = value === null && token !== null ? NULLS[code] : undefined;
  const known = ofNull ?? messages[code] ?? (PICTURE_CODES.test(code) ? PICTURE : undefined);
  return known
    ?.replaceAll('"{token}"', token === null ? 'a function or operator' : `"${token}"`)
    .replaceAll('{token}', () => token ?? '')
    .replace('argument {index}', typeof index === 'number' ? `argument ${index}` : 'an argument');
}

/** The message and place of what jsonata's parser threw; its place is after the token. */
export function toParseFailure(thrown: unknown, source: string) {
  const { code, message } = toExpressionError(thrown, source);
  const { position, token } = (thrown ?? {}) as Thrown;
  return {
    code,
    message,
    position: typeof position === 'number' ? position : source.length,
    token: typeof token === 'string' ? token : undefined,
  };
}

/** The interpreter names a function together with its place. */
function unplaced(failure: Thrown): { readonly failure: Thrown; readonly start: number | null } {
  const { token, message } = failure;
  const placed = typeof token === 'string' ? placedToken(token) : null;
  if (placed === null) return { failure, start: null };
  const told = typeof message === 'string' ? message.replaceAll(String(token), placed.name) : message;
  return { failure: { ...failure, token: placed.name, message: told }, start: placed.start };
}

/** A function as it is written, with its `$`, or an operator; null where that is not certain. */
function tokenOf({ token }: Thrown): string | null {
  if (typeof token !== 'string' || token === '' || CONNECTIVES.has(token)) return null;
  return /^[A-Za-z_]/.test(token) && token !== 'in' ? `$${token}` : token;
}

/**
 * Where a token begins in the source; null where that is not certain. What was thrown names the place after the token, but inside a
 * function that another one calls, jsonata names the place of the other one.
 */
function tokenStart(source: string, token: string | null, after: unknown): number | null {
  if (token === null) return null;
  const first = source.indexOf(token);
  const isOnly = first !== -1 && !source.includes(token, first + 1);
  if (isOnly) return first;
  if (typeof after !== 'number') return null;
  const found = source.lastIndexOf(token, after - token.length);
  const between = found === -1 ? null : source.slice(found + token.length, after);
  return between !== null && /^\s*\(?$/.test(between) ? found : null;
}

function isShort(value: unknown): boolean {
  return (
    value === null || value instanceof ExactNumber || ['string', 'number', 'boolean'].includes(typeof value)
  );
}

function plainValue(value: unknown): unknown {
  return value instanceof ExactNumber ? value.text : value;
}
