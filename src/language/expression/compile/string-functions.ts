import { ExpressionFailure } from '../expression-failure.ts';
import type { BuiltInSpec, Parameter } from './signature.ts';
import { toText } from './values.ts';

const textOrContext: Parameter = { types: 's', context: true };
const text: Parameter = { types: 's' };
const optionalNumber: Parameter = { types: 'n', optional: true };
/** A regular expression would be a function; the compiled path has none, but the letter belongs to the signature. */
const textOrPattern: Parameter = { types: 'sf' };

type Text = string | undefined;

export const stringFunctions: Readonly<Record<string, BuiltInSpec>> = {
  string: {
    parameters: [
      { types: 'x', context: true },
      { types: 'b', optional: true },
    ],
    call: (value: unknown, prettify?: boolean) => (value === undefined ? undefined : toText(value, prettify)),
    exact: true,
  },
  length: { parameters: [textOrContext], call: length, direct: 'string' },
  lowercase: { parameters: [textOrContext], call: (value: Text) => value?.toLowerCase(), direct: 'string' },
  uppercase: { parameters: [textOrContext], call: (value: Text) => value?.toUpperCase(), direct: 'string' },
  trim: { parameters: [textOrContext], call: trim, direct: 'string' },
  substring: { parameters: [textOrContext, { types: 'n' }, optionalNumber], call: substring },
  substringBefore: { parameters: [textOrContext, text], call: substringBefore },
  substringAfter: { parameters: [textOrContext, text], call: substringAfter },
  contains: {
    parameters: [textOrContext, textOrPattern],
    call: (value: Text, part: Text) =>
      value === undefined || part === undefined ? undefined : value.includes(part),
  },
  split: { parameters: [textOrContext, textOrPattern, optionalNumber], call: split },
  join: {
    parameters: [
      { types: 'a', elements: 's' },
      { types: 's', optional: true },
    ],
    call: (parts: readonly string[] | undefined, separator = '') => parts?.join(separator),
  },
  replace: { parameters: [textOrContext, textOrPattern, textOrPattern, optionalNumber], call: replace },
};

const SURROGATE = /[\ud800-\udfff]/;

/** Characters, not UTF-16 units. */
function length(value: Text): number | undefined {
  if (value === undefined) return undefined;
  let count = 0;
  for (const _character of value) count += 1;
  return count;
}

function trim(value: Text): Text {
  if (value === undefined) return undefined;
  const spaced = value.replace(/[ \t\n\r]+/gm, ' ');
  return spaced.slice(spaced.startsWith(' ') ? 1 : 0).replace(/ $/, '');
}

function substring(value: Text, start: number, count: number | undefined): Text {
  if (value === undefined) return undefined;
  // Without surrogates a character is a UTF-16 unit, and the text is cut as it is.
  const characters = SURROGATE.test(value) ? [...value] : null;
  const size = characters?.length ?? value.length;
  const from = size + start < 0 ? 0 : start;
  if (count !== undefined && count <= 0) return '';
  const to = count === undefined ? undefined : from >= 0 ? from + count : size + from + count;
  return characters === null ? value.slice(from, to) : characters.slice(from, to).join('');
}

function substringBefore(value: Text, part: string): Text {
  if (value === undefined) return undefined;
  const position = value.indexOf(part);
  return position > -1 ? value.slice(0, position) : value;
}

function substringAfter(value: Text, part: string): Text {
  if (value === undefined) return undefined;
  const position = value.indexOf(part);
  return position > -1 ? value.slice(position + part.length) : value;
}

function split(value: Text, separator: string, limit: number | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  if (limit !== undefined && limit < 0) throw new ExpressionFailure('D3020', limit);
  if (limit !== undefined && !(limit > 0)) return [];
  requirePattern(separator);
  return value.split(separator, limit);
}

function replace(value: Text, pattern: string, replacement: string, limit: number | undefined): Text {
  if (value === undefined) return undefined;
  if (pattern === '') throw new ExpressionFailure('D3010', pattern);
  if (limit !== undefined && limit < 0) throw new ExpressionFailure('D3011', limit);
  if (limit !== undefined && !(limit > 0)) return value;
  requirePattern(pattern);
  let result = '';
  let position = 0;
  let count = 0;
  for (;;) {
    const found = limit === undefined || count < limit ? value.indexOf(pattern, position) : -1;
    if (found === -1) return result + value.slice(position);
    result += value.slice(position, found) + replacement;
    position = found + pattern.length;
    count += 1;
  }
}

/** jsonata has no code of its own for a pattern that is nothing: it fails on calling it. */
function requirePattern(pattern: unknown): void {
  if (typeof pattern !== 'string') throw new TypeError('the pattern is missing');
}
