import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, validationError } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { mayHoldInexactNumber, parseExactJson } from '../../base/values/exact-json.ts';

/** Deeper JSON is refused before anything reads it recursively. */
export const JSON_DEPTH_MAX = 64;
/** More values than any documented request has; reading more would block all other requests. */
export const JSON_VALUES_MAX = 100_000;
/** A longer text is not looked at before its values are. */
const PROOF_CHARS_MAX = 4_096;
const NUL = '\u0000';
const ESCAPED_NUL = '\\u0000';
const ENCODED_NUL = '%00';
const MESSAGE_KEY_CHARS_MAX = 100;

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of its JSON has shown that its body can be stored. */
    hasPlainBody: boolean;
  }
}

/**
 * Reads JSON bodies: an empty one is no body; a number that a double would change comes as its text; `__proto__` and `constructor.prototype` keys, more than `JSON_DEPTH_MAX` levels
 * or `JSON_VALUES_MAX` values, and NUL characters (which PostgreSQL cannot store) are `VALIDATION_ERROR`, in parameters and queries too.
 */
export function installJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('hasPlainBody', false);
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    request.hasPlainBody = isPlain(text as string);
    parse(request, text as string, (error, value) => {
      if (error) return done(unsafeKeyIn(text as string) ?? error, undefined);
      done(null, mayHoldInexactNumber(text as string) ? parseExactJson(text as string) : value);
    });
  });
  app.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    // What is in an address is flat and short: only a NUL can be wrong there.
    if (request.url.includes(ENCODED_NUL)) {
      requireStorable(request.params);
      requireStorable(request.query);
    }
    if (request.body !== undefined && !request.hasPlainBody) requireStorable(request.body);
    done();
  });
}

/** Of a text that the parser refused: the problem with a key that could reach a prototype; null for one that is no JSON. */
function unsafeKeyIn(text: string): AppError | null {
  let root: unknown;
  try {
    root = parseJsonText(text);
  } catch {
    return null;
  }
  const open: Place[] = isObject(root) ? [{ value: root, key: '', parent: null, depth: 1 }] : [];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const [key, inner] of Object.entries(place.value)) {
      if (key === '__proto__') return unsafeKey(pathOf(place, key), key);
      if (!isObject(inner)) continue;
      if (key === 'constructor' && Object.hasOwn(inner, 'prototype'))
        return unsafeKey(pathOf(place, `${key}.prototype`), 'constructor.prototype');
      open.push({ value: inner, key, parent: place, depth: place.depth + 1 });
    }
  }
  return null;
}

function unsafeKey(path: string, key: string): AppError {
  return validationError([{ path, message: `The key "${key}" is not allowed; choose another` }]);
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

interface Place {
  readonly value: object;
  readonly key: string;
  readonly parent: Place | null;
  readonly depth: number;
}

/** Whether a JSON text is too short for too many values, has too few brackets to be too deep, and no NUL: most are so small. */
function isPlain(text: string): boolean {
  if (text.length > PROOF_CHARS_MAX || text.includes(ESCAPED_NUL)) return false;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '[' || character === '{') opened += 1;
  }
  return opened <= JSON_DEPTH_MAX;
}

/** Walks without recursion, so that deep JSON cannot end the process. */
function requireStorable(value: unknown): void {
  if (typeof value === 'string' && value.includes(NUL)) throw nulIn('body');
  if (value === null || typeof value !== 'object') return;
  const open: Place[] = [{ value, key: '', parent: null, depth: 1 }];
  let values = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.depth > JSON_DEPTH_MAX) {
      throw new AppError('VALIDATION_ERROR', `The JSON is nested deeper than ${JSON_DEPTH_MAX} levels`);
    }
    for (const key in place.value) {
      values += 1;
      if (values > JSON_VALUES_MAX)
        throw new AppError('VALIDATION_ERROR', `The JSON holds more than ${JSON_VALUES_MAX} values`);
      const inner = (place.value as Record<string, unknown>)[key];
      if (key.includes(NUL) || (typeof inner === 'string' && inner.includes(NUL)))
        throw nulIn(pathOf(place, key));
      if (inner !== null && typeof inner === 'object')
        open.push({ value: inner, key, parent: place, depth: place.depth + 1 });
    }
  }
}

function nulIn(path: string): AppError {
  return validationError([{ path, message: `"${path}" holds a NUL character, which cannot be stored` }]);
}

function pathOf(place: Place, key: string): string {
  const keys = [key];
  for (let at: Place | null = place; at !== null && at.parent !== null; at = at.parent) keys.unshift(at.key);
  return keys.join('.').replaceAll(NUL, '\\u0000').slice(0, MESSAGE_KEY_CHARS_MAX);
}
