import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { schemaWords } from '../../base/text/schema-words.ts';
import { inexactNumberWords, isInexactNumber } from '../../base/values/exact-json.ts';

type Issue = z.core.$ZodIssue;

/** What fastify-type-provider-zod throws: of each issue its code as `keyword`, its path with slashes, and the rest as `params`. */
interface Refused {
  readonly validation: readonly {
    readonly keyword: string;
    readonly instancePath: string;
    readonly message?: string | undefined;
    readonly params?: unknown;
  }[];
  readonly validationContext?: string | undefined;
}

/** The number and length of unknown keys repeated in a message. */
const ECHOED_KEYS_MAX = 20;
const ECHOED_CHARS_MAX = 100;

/** What is wrong with the parts of a request, in the words of who sent it. */
export function requestProblems(refused: Refused, request: FastifyRequest): Problem[] {
  const context = refused.validationContext ?? 'body';
  const part = partOf(request, context);
  return refused.validation.flatMap(({ keyword, instancePath, message = '', params }) => {
    const inner = instancePath.split('/').filter(Boolean);
    const issue = {
      ...(isRecord(params) ? params : {}),
      code: keyword,
      message,
      path: [],
    } as unknown as Issue;
    return nearest(issue).flatMap((one) => problemsOf(one, inner, part, context));
  });
}

function problemsOf(issue: Issue, outer: readonly string[], part: unknown, context: string): Problem[] {
  const at = sentPath(part, [...outer, ...issue.path.map(String)]);
  const name = at.join('.');
  const path = name || context;
  if (issue.code === 'unrecognized_keys') return [{ path, message: unknownKeysMessage(issue.keys) }];
  const value = valueAt(part, at);
  if (name !== '' && value === undefined && issue.code !== 'custom')
    return [{ path, message: `"${name}" is required and missing` }];
  const what = name === '' ? `The ${PARTS[context] ?? 'request'}` : `"${name}"`;
  if (context === 'body' && wantsNumber(issue) && isInexactNumber(value))
    return [{ path, message: `${what} ${inexactNumberWords(value)}` }];
  return [{ path, message: `${what}${schemaWords(issue, givenOf(issue, value, name, context))}` }];
}

function wantsNumber(issue: Issue): boolean {
  return issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected);
}

const PARTS: Readonly<Record<string, string>> = { body: 'body', querystring: 'query', params: 'path' };

function partOf(request: FastifyRequest, context: string): unknown {
  if (context === 'body') return request.body;
  if (context === 'querystring') return request.query;
  return context === 'params' ? request.params : request.headers;
}

/** Of a text that is read as a list or a map, what was sent is the text: the path ends there. */
function sentPath(part: unknown, path: readonly string[]): readonly string[] {
  const end = path.findIndex((_, length) => {
    const value = valueAt(part, path.slice(0, length));
    return value !== undefined && value !== null && typeof value !== 'object';
  });
  return end <= 0 ? path : path.slice(0, end);
}

function valueAt(part: unknown, path: readonly string[]): unknown {
  let at = part;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}

const SECRET_NAMES = /token|password|secret|code/i;
/** Formats of texts that hold no secret: a URL may have a password in it. */
const SHOWN_FORMATS: ReadonlySet<string> = new Set(['datetime', 'date', 'email', 'ipv4', 'ipv6', 'uuid']);

/**
 * The value for a message: what an address holds, and texts of a body where a choice, a number or a format was expected. Any other
 * text may be a secret at the wrong place, so only its type is told; nothing is told of headers.
 */
function givenOf(issue: Issue, value: unknown, name: string, context: string): string | null {
  if (context === 'headers') return null;
  const isShown =
    !SECRET_NAMES.test(name) &&
    (context !== 'body' ||
      issue.code === 'invalid_value' ||
      (issue.code === 'invalid_format' && SHOWN_FORMATS.has(issue.format)) ||
      ((issue.code === 'too_small' || issue.code === 'too_big') && typeof value === 'number'));
  if (typeof value === 'string')
    return isShown && value.length <= ECHOED_CHARS_MAX ? JSON.stringify(value) : 'a text';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'null' : 'a map';
  if (typeof value === 'number') return isShown ? String(value) : 'a number';
  return typeof value === 'boolean' ? 'true or false' : null;
}

function unknownKeysMessage(keys: readonly string[]): string {
  const named = keys.slice(0, ECHOED_KEYS_MAX).map((key) => `"${key.slice(0, ECHOED_CHARS_MAX)}"`);
  const more = keys.length - named.length;
  return `Unknown key ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Of a value that fits no alternative of a schema, the issues of the nearest one: that with the fewest, all of them inside. */
function nearest(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inside = issue.errors.filter(
    (issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0),
  );
  if (inside.length === 0) return [issue];
  return inside.reduce((best, one) => (one.length < best.length ? one : best));
}
