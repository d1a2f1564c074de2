import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod';
import { AppError, type ErrorCode, type Problem, validationError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { PathMethods } from './request/path-methods.ts';
import { requestProblems } from './request/request-problems.ts';
import { statusText } from './status-text.ts';

/** The one place where a code becomes an HTTP status. */
export const HTTP_STATUS: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 400,
  AUTH_ERROR: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  CONNECTOR_ERROR: 502,
  NOT_READY: 503,
};

/** Routes may answer a code with another status: introspection answers `CONNECTOR_ERROR` with 500, by contract. */
declare module 'fastify' {
  interface FastifyContextConfig {
    connectorErrorStatus?: number;
  }
}

export interface ErrorBody {
  error: ErrorCode;
  message: string;
  details?: readonly Problem[];
  request_id: string;
}

/** Every error leaves through here in one shape. Anything but an `AppError` is logged in full and answered without details. */
export function installErrorMap(app: FastifyInstance): void {
  app.setErrorHandler((thrown: FastifyError, request, reply) => {
    const error = toAppError(thrown, request);
    if (error.code === 'INTERNAL_ERROR') request.log.error({ err: thrown }, 'a request failed');
    sendError(error, request, reply);
  });
  app.setNotFoundHandler({}, (request) => {
    throw noRoute(request);
  });
}

/** The route of every path that has none of its own: the page for people, whose addresses only the page knows. */
export const PAGE_ROUTE = '/*';

/**
 * Answers a path without a route, and a method that a path does not have, before anything reads the body. Installed after the
 * hooks that count and set headers, and before any route.
 */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const methods = new PathMethods();
  app.addHook('onRoute', ({ url, method }) => methods.add(url, [method].flat()));
  app.addHook('onRequest', (request, reply, done) => {
    const [path = ''] = request.url.split('?', 1);
    // A path of its own is also what a pattern takes: `PUT /api/tasks/validate` is no task with the id "validate".
    const isPage = request.routeOptions.url === PAGE_ROUTE;
    const allowed = request.is404 || isPage ? methods.of(path) : (methods.exactly(path) ?? ANY);
    if (allowed === ANY || allowed.has(request.method)) {
      done();
    } else if (allowed.size === 0) {
      done(isPage ? undefined : noRoute(request));
    } else {
      reply.header('allow', [...allowed].sort().join(', '));
      done(noMethod(request));
    }
  });
}

const ANY: ReadonlySet<string> = new Set();

export function noRoute(request: FastifyRequest): AppError {
  return new AppError('NOT_FOUND', `There is no ${request.method} ${pathOf(request)}`);
}

function noMethod(request: FastifyRequest): AppError {
  return new AppError('METHOD_NOT_ALLOWED', `${pathOf(request)} does not have the method ${request.method}`);
}

/** Refusals of the router before there is a route, such as `%ZZ` in a path: no hook has run, so the headers are set here. */
export function answerFrameworkError(
  thrown: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  sendError(new AppError('VALIDATION_ERROR', routerMessageOf(thrown)), request, reply);
}

function routerMessageOf(error: FastifyError): string {
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return 'A part of the path is too long';
  return 'The path is not a valid URL: check its percent signs';
}

/**
 * Answers a malformed HTTP request on the bare socket, in the same shape. Its headers could not be read: the request id is a new
 * one, by which the log names it too.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket, logger: Logger): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const known: Readonly<Record<string, ClientErrorAnswer>> = CLIENT_ERRORS;
  const [status, code, message] = known[error.code ?? ''] ?? CLIENT_ERROR;
  const request_id = randomUUID();
  logger.info({ request_id, status, reason: error.code }, 'a request was refused before it was read');
  const body = JSON.stringify({ error: code, message, request_id } satisfies ErrorBody);
  if (socket.writable) {
    const head = `HTTP/1.1 ${status} ${statusText(status)}\r\nConnection: close\r\nX-Request-Id: ${request_id}\r\nContent-Type: application/json; charset=utf-8`;
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
  socket.destroy();
}

/** Status, code and message. HTTP has its own statuses for a slow request and for long headers. */
type ClientErrorAnswer = readonly [status: number, code: ErrorCode, message: string];
const CLIENT_ERROR: ClientErrorAnswer = [400, 'VALIDATION_ERROR', 'This is not a valid HTTP request'];
export const CLIENT_ERRORS = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'VALIDATION_ERROR', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'PAYLOAD_TOO_LARGE', 'The address and headers of the request are too long'],
} as const satisfies Readonly<Record<string, ClientErrorAnswer>>;

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const body: ErrorBody = { error: error.code, message: error.message, request_id: request.id };
  if (error.details !== undefined) body.details = error.details;
  const retryAfterSeconds =
    error.retryAfterSeconds ?? (error.code === 'NOT_READY' ? NOT_READY_SECONDS : undefined);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  if (error.code === 'AUTH_ERROR') reply.header('www-authenticate', CHALLENGE);
  const special =
    error.code === 'CONNECTOR_ERROR' ? request.routeOptions.config?.connectorErrorStatus : undefined;
  // Of an answer that failed at its first piece: the error is no file to be saved.
  reply.removeHeader('content-disposition');
  reply.serializer((payload: unknown) => JSON.stringify(payload));
  reply
    .code(special ?? HTTP_STATUS[error.code])
    .type('application/json; charset=utf-8')
    .send(body);
}

/** RFC 9110, 11.6.1, and RFC 6750: API keys and the executor key are bearer tokens. */
const CHALLENGE = 'Bearer realm="headgate"';

function pathOf(request: FastifyRequest): string {
  return `"${request.url.split('?')[0]?.slice(0, 200) ?? ''}"`;
}

/** Codes for statuses set by fastify and its plugins; every other 4xx is an invalid request. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'AUTH_ERROR',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};
const RATE_WINDOW_SECONDS = 60;
/** Where the error says nothing of it. */
export const NOT_READY_SECONDS = 5;

function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return validationError(requestProblems(error, request));
  if (isResponseSerializationError(error))
    return new AppError('INTERNAL_ERROR', 'The response could not be serialized', { cause: error });
  const { statusCode = 500 } = error;
  if (statusCode === 429) {
    return new AppError('RATE_LIMITED', 'Too many requests; try again later', {
      retryAfterSeconds: RATE_WINDOW_SECONDS,
    });
  }
  if (statusCode === HTTP_STATUS.UNSUPPORTED_MEDIA_TYPE)
    return new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'This Content-Type is not accepted here: send "application/json", or another that the operation names',
      {
        cause: error,
      },
    );
  if (statusCode >= 400 && statusCode < 500) {
    return new AppError(CODE_OF_STATUS[statusCode] ?? 'VALIDATION_ERROR', error.message, { cause: error });
  }
  return new AppError('INTERNAL_ERROR', 'Something failed on the server; the request id helps to find it', {
    cause: error,
  });
}
