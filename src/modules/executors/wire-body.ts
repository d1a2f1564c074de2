import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { bodyAwareValidator } from '../../http/request/body-validator.ts';

/** Of one body, after decompression: what gRPC takes in a message. */
export const WIRE_BODY_BYTES_MAX = 4 * 1024 * 1024;
/** Far below what a recursive walk of the value could not survive. */
export const WIRE_JSON_DEPTH_MAX = 1_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/**
 * A body as it came, decoded only by whoever reads it. Its bytes are private, so that checks which walk a request's body find
 * nothing to walk: what executors report is data of other systems, in which `__proto__` keys and NUL characters are no attack.
 */
export class WireBody {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The value; undefined for an empty body. `VALIDATION_ERROR` for what is not JSON in UTF-8, or is nested too deeply. */
  json(): unknown {
    if (this.#bytes.length === 0) return undefined;
    requireShallow(this.#bytes);
    try {
      return parseJsonText(utf8.decode(this.#bytes));
    } catch (cause) {
      throw new AppError('VALIDATION_ERROR', 'The body is not JSON in UTF-8', { cause });
    }
  }
}

function requireShallow(bytes: Buffer): void {
  if (bytes.length <= 2 * WIRE_JSON_DEPTH_MAX) return;
  let depth = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = behindText(bytes, at);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    if (depth > WIRE_JSON_DEPTH_MAX) {
      const message = `The JSON is nested deeper than ${WIRE_JSON_DEPTH_MAX} levels`;
      throw new AppError('VALIDATION_ERROR', message);
    }
    at += 1;
  }
}

/** The place behind the JSON string that begins at `at`; the end of the bytes where it is not closed. */
function behindText(bytes: Uint8Array, at: number): number {
  for (let place = at + 1; place < bytes.length; place += 1) {
    const byte = bytes[place];
    if (byte === BACKSLASH) place += 1;
    else if (byte === QUOTE) return place + 1;
  }
  return bytes.length;
}

/** The bytes of a body that its route leaves undecoded. `VALIDATION_ERROR` where there is none, or it is nested too deeply. */
export function bytesOf(body: unknown): Buffer {
  if (body instanceof WireBody && body.bytes.length > 0) {
    requireShallow(body.bytes);
    return body.bytes;
  }
  throw new AppError('VALIDATION_ERROR', 'The request has no body; send JSON');
}

/** Reads the JSON bodies of this scope's routes as `WireBody`. Call it inside `register`, so that no other route is touched. */
export function readWireBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: WIRE_BODY_BYTES_MAX },
    (_request, bytes, done) => done(null, new WireBody(bytes as Buffer)),
  );
}

type RouteDefinition = Parameters<FastifySchemaCompiler<z.ZodType>>[0];

/** Which schema a decoded body must fit. */
export type BodySchemaOf = (value: unknown) => z.ZodType;

/** Decodes a `WireBody` and checks it, by the route's schema or by the one that `choose` finds; leaves other parts as usual. */
export function wireValidator(choose?: BodySchemaOf): FastifySchemaCompiler<unknown> {
  return (definition) => {
    const route = definition as RouteDefinition;
    if (route.httpPart === 'headers') return (headers: unknown) => ({ value: headers });
    if (route.httpPart !== 'body') return bodyAwareValidator(route);
    return (body: unknown) => {
      try {
        const value = body instanceof WireBody ? body.json() : undefined;
        const schema = choose === undefined ? route.schema : choose(value);
        return bodyAwareValidator({ ...route, schema })(value ?? null);
      } catch (error) {
        return { error: error as Error };
      }
    };
  };
}

/** Leaves the body as it came: its schema is there for the document, and for whoever decodes it. */
export const undecodedValidator: FastifySchemaCompiler<unknown> = (route) =>
  route.httpPart === 'body' ? (body: unknown) => ({ value: body }) : wireValidator()(route);
