import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import helmet, { type HelmetOptions } from 'helmet';
import type { Logger } from '../base/logger.ts';
import type { Config } from '../config.ts';
import { answerSerializer } from './answers/answer-serializer.ts';
import { answerClientError, answerFrameworkError, installErrorMap, refuseUnknownPaths } from './error-map.ts';
import { type Identify, installGuard } from './guard.ts';
import { installOpenapi } from './openapi/openapi.ts';
import { installBodyDrain } from './request/body-drain.ts';
import { bodyAwareValidator } from './request/body-validator.ts';
import { installGunzip } from './request/bounded-gunzip.ts';
import { atEndOfTurn } from './request/end-of-turn.ts';
import { installJsonBody } from './request/json-body.ts';
import { requestLogger } from './request/request-logger.ts';

/** A fastify instance whose handlers are typed by their zod schemas. */
export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 20_000;
const KEEP_ALIVE_MS = 72_000;
const PARAM_LENGTH_MAX = 256;

/** Passed at creation, not set later: otherwise fastify would load its own large compilers first. */
const COMPILERS = {
  buildValidator: () => bodyAwareValidator,
  buildSerializer: () => answerSerializer,
} as unknown as CompilersFactory;

/** The HTTP server without any routes: limits, headers, cookies, guard, error shape, OpenAPI. Modules add the routes. */
export async function createHttpServer(config: Config, logger: Logger, identify: Identify): Promise<App> {
  const app: App = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.http.body_limit,
    trustProxy: trustedProxies(config.http.trust_proxy),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: false, caseSensitive: true },
    childLoggerFactory: requestLogger,
    requestIdHeader: false,
    genReqId: requestIdOf,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, logger),
    schemaController: { compilersFactory: COMPILERS },
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>();
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  installErrorMap(app as unknown as FastifyInstance);
  installJsonBody(app as unknown as FastifyInstance);
  const https = config.http.public_url?.startsWith('https:') ?? false;
  const headers = { ...securityHeaders({ https }), 'cache-control': 'no-store' };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  app.addHook('onSend', (_request, _reply, payload, done) => atEndOfTurn(() => done(null, payload)));
  installBodyDrain(app as unknown as FastifyInstance);
  closeBusyConnections(app);
  await app.register(cookie);
  await app.register(rateLimit, {
    max: config.security.rate_limit_per_minute,
    timeWindow: '1 minute',
    skipOnError: false,
  });
  await app.register(compress, { threshold: 1_024, encodings: ['gzip', 'br'], globalDecompression: false });
  installGunzip(app as unknown as FastifyInstance, config.http.body_limit);
  await installOpenapi(app as unknown as FastifyInstance);
  refuseUnknownPaths(app as unknown as FastifyInstance);
  installGuard(app as unknown as FastifyInstance, identify);
  return app;
}

/** `close` ends only idle connections: a busy one must end with its answer, or its keep-alive would delay the stop. */
function closeBusyConnections(app: App): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  // A stream sent its headers before the server began to close.
  app.addHook('onResponse', (request, _reply, done) => {
    if (isClosing) request.raw.socket.destroySoon?.();
    done();
  });
}

/** A number counts proxies from the server outwards: anybody can have written the entries of X-Forwarded-For beyond them. */
function trustedProxies(trusted: number | readonly string[]) {
  if (typeof trusted !== 'number') return [...trusted];
  return trusted === 0 ? false : (_address: string, hop: number) => hop < trusted;
}

const ACCEPTED = /^[\w.:/+=-]{1,128}$/;

/** The caller's `X-Request-Id` if it is fit for a log line and an audit row (128 plain characters), else a new one. */
function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
}

const CSP = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
};
const YEAR_SECONDS = 31_536_000;

/**
 * Security headers and the content policy, computed once because they are the same for every answer. `https`: whether users
 * reach the server over it.
 */
function securityHeaders({ https }: { readonly https: boolean }): Readonly<Record<string, string>> {
  const options: HelmetOptions = {
    contentSecurityPolicy: { useDefaults: false, directives: CSP },
    strictTransportSecurity: https ? { maxAge: YEAR_SECONDS } : false,
  };
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, answer as unknown as ServerResponse, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return headers;
}
