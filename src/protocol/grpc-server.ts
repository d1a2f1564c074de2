import type { Http2SecureServer, Http2Server, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { Server, ServerCredentials, type ServerInterceptor } from '@grpc/grpc-js';
import { sleep } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ControlPlane } from './control-plane.ts';
import { fingerprintOf } from './executor-key.ts';
import type { GrpcServerLimits } from './grpc-server-limits.ts';
import { createKeyProof, type KeyRing } from './key-proof.ts';
import { createAuthenticator } from './server/authenticator.ts';
import { HEALTH_PATHS, HealthService } from './server/health-service.ts';
import { createKeyInterceptor } from './server/key-interceptor.ts';
import { ConnectionGuard } from './server/limits/connection-guard.ts';
import { OpenStreams } from './server/limits/open-streams.ts';
import { RefusalLog } from './server/limits/refusal-log.ts';
import { RpcBinding, stoppingError } from './server/rpc-binding.ts';
import { SERVICE } from './wire/definition/service-definition.ts';

/** PEM text. `clientCa` asks every client for a certificate that it has signed (mTLS). */
export interface GrpcServerTls {
  readonly cert: string;
  readonly key: string;
  readonly clientCa?: string;
}

export interface GrpcServerOptions extends KeyRing {
  readonly controlPlane: ControlPlane;
  /** A call has proved the key of this fingerprint. */
  readonly onKeyUsed?: (fingerprint: string) => void;
  /** Tells holders of a key what services there are; off where it is left out. */
  readonly reflection?: boolean;
  readonly limits: GrpcServerLimits;
  readonly tls?: GrpcServerTls;
  readonly logger: Logger;
}

export interface GrpcServer {
  /** Resolves with the port that it listens on; `host` may be `unix:PATH`. */
  listen(host: string, port: number): Promise<number>;
  /** After the keys have changed: ends what was opened with a key that is not valid any more (`AUTH_ERROR`). */
  keysChanged(): void;
  /** What is open now. */
  counts(): GrpcServerCounts;
  /** Ends sessions, lets calls in flight finish for `graceMs`, then closes what is left. Resolves when all is closed. */
  stop(graceMs: number): Promise<void>;
}

export interface GrpcServerCounts {
  readonly connections: number;
  /** Connections that have proved no key yet. */
  readonly unproved: number;
  /** Sessions, logs, metrics and dead letters. */
  readonly streams: number;
  readonly sessions: number;
  readonly healthWatchers: number;
}

function credentialsOf(tls: GrpcServerTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const pair = { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) };
  const clientCa = tls.clientCa === undefined ? null : Buffer.from(tls.clientCa);
  return ServerCredentials.createSsl(clientCa, [pair], clientCa !== null);
}

function createServer(limits: GrpcServerLimits, interceptor: ServerInterceptor): Server {
  return new Server({
    interceptors: [interceptor],
    'grpc.max_receive_message_length': limits.messageBytesMax,
    'grpc.max_send_message_length': limits.messageBytesMax,
    'grpc.max_concurrent_streams': limits.connectionStreamsMax,
    'grpc.keepalive_time_ms': limits.keepaliveMs,
    'grpc.keepalive_timeout_ms': limits.keepaliveTimeoutMs,
    'grpc.max_connection_idle_ms': limits.connectionIdleMs,
    'grpc.max_connection_age_ms': limits.connectionAgeMs,
    'grpc.max_connection_age_grace_ms': limits.connectionAgeGraceMs,
    'grpc.enable_channelz': 0,
  });
}

/** What a failed handshake most likely was; null where the peer has just gone. */
function tlsRefusalOf({ code = '' }: NodeJS.ErrnoException): string | null {
  switch (code) {
    case 'ERR_SSL_HTTP_REQUEST':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return 'refused a connection without TLS: this port speaks TLS only, give the executor "--ca"';
    case 'ERR_SSL_UNSUPPORTED_PROTOCOL':
      return 'refused a connection with a TLS version before 1.2';
    default:
      return code.startsWith('ERR_SSL') ? 'refused a connection whose TLS handshake failed' : null;
  }
}

/** nghttp2's "bad client magic": the first bytes are no HTTP/2. */
const BAD_PREFACE = -903;

function watchSessions(
  http2: Http2Server | Http2SecureServer,
  speaks: (session: ServerHttp2Session) => void,
  refusals: RefusalLog,
): void {
  http2.on('session', (session: ServerHttp2Session) => {
    speaks(session);
    session.on('error', (error: NodeJS.ErrnoException) => {
      if (error.errno !== BAD_PREFACE) return;
      refusals.note('refused a connection that does not speak gRPC: TLS to a port without, or HTTP/1');
    });
  });
  http2.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    const refusal = tlsRefusalOf(error);
    if (refusal !== null) refusals.note(refusal, { reason: error.code });
  });
}

/** The guard of a server's connections, and what hands them to it. */
function guardConnections(server: Server, options: GrpcServerOptions): ConnectionGuard {
  const { limits, logger } = options;
  const injector = server.createConnectionInjector(credentialsOf(options.tls));
  const http2 = http2ServerOf(server);
  http2.updateSettings({
    maxConcurrentStreams: limits.connectionStreamsMax,
    maxHeaderListSize: limits.metadataBytesMax,
  });
  const refusals = new RefusalLog(logger);
  const inject = (socket: Socket) => injector.injectConnection(socket);
  const guard = new ConnectionGuard({ inject, limits, logger, refusals });
  watchSessions(http2, (session) => guard.speaks(session), refusals);
  return guard;
}

/**
 * The gRPC binding of the executor contract. Every call proves an executor key, and all but Register a session token, before
 * anything of it is read; the health service alone is open.
 */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const { controlPlane, limits, logger } = options;
  const proveKey = createKeyProof(options);
  const isOpen = (path: string) => HEALTH_PATHS.has(path);
  const server = createServer(limits, createKeyInterceptor(proveKey, isOpen));
  const guard = guardConnections(server, options);
  const health = new HealthService({
    services: ['', SERVICE],
    watchersMax: limits.healthWatchersMax,
    probes: (peer) => guard.probes(peer),
    hold: (peer) => guard.hold(peer),
  });
  health.addTo(server);
  const open = new OpenStreams(limits.executorStreamsMax);
  const stopping = new AbortController();
  const binding = new RpcBinding({
    server,
    controlPlane,
    authenticate: createAuthenticator(controlPlane, proveKey),
    authenticated(peer, key) {
      guard.authenticated(peer, key);
      options.onKeyUsed?.(key);
    },
    open,
    limits,
    stopping: stopping.signal,
    logger,
  });
  binding.bindAll();

  return {
    async listen(host, port) {
      // Loaded where it is wanted: it is rarely on, and brings a second reader of protos.
      if (options.reflection) (await import('./server/add-reflection.ts')).addReflection(server);
      return guard.listen(host, port);
    },
    keysChanged() {
      const valid = new Set(options.keys().map(fingerprintOf));
      const isValid = (fingerprint: string) => valid.has(fingerprint);
      open.endRevoked(isValid);
      guard.challenge(isValid);
    },
    counts: () => ({
      ...guard.counts(),
      streams: open.streams,
      sessions: open.sessions,
      healthWatchers: health.watchers,
    }),
    async stop(graceMs) {
      stopping.abort();
      health.stop();
      const closed = guard.close();
      open.endSessions(stoppingError());
      // It asks every connection to leave. When it calls back, calls may still be under way: the connections tell.
      server.tryShutdown(() => undefined);
      const graceOver = new AbortController();
      await Promise.race([closed, sleep(graceMs, graceOver.signal)]);
      graceOver.abort();
      server.forceShutdown();
      guard.destroyConnections();
      await closed;
    },
  };
}

/**
 * The HTTP/2 server inside a gRPC server that has one connection injector. grpc-js has no public way to it, and no enforcement of
 * its own against pings, resets or settings; the version is pinned, and a start fails where the field has gone.
 */
function http2ServerOf(server: Server): Http2Server | Http2SecureServer {
  const { http2Servers } = server as unknown as {
    readonly http2Servers?: ReadonlyMap<Http2Server | Http2SecureServer, unknown>;
  };
  const [found] = http2Servers?.keys() ?? [];
  if (found === undefined) throw new Error('This version of @grpc/grpc-js hides its HTTP/2 server');
  return found;
}
