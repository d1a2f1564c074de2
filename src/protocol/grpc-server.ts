import { Server, ServerCredentials } from '@grpc/grpc-js';
import { sleep } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ControlPlane } from './control-plane.ts';
import type { GrpcServerLimits } from './grpc-server-limits.ts';
import { createAuthenticator } from './server/authenticator.ts';
import { createConnectionGuard } from './server/connection-guard.ts';
import { OpenStreams } from './server/open-streams.ts';
import { RpcBinding, stoppingError } from './server/rpc-binding.ts';

/** PEM text. `clientCa` asks every client for a certificate that it has signed (mTLS). */
export interface GrpcServerTls {
  readonly cert: string;
  readonly key: string;
  readonly clientCa?: string;
}

export interface GrpcServerOptions {
  readonly controlPlane: ControlPlane;
  /** The executor keys that are valid now; two during rotation. None lets nobody in. */
  readonly keys: () => readonly string[];
  readonly limits: GrpcServerLimits;
  readonly tls?: GrpcServerTls;
  readonly logger: Logger;
}

export interface GrpcServer {
  /** Resolves with the port that it listens on; `host` may be `unix:PATH`. */
  listen(host: string, port: number): Promise<number>;
  /** Ends sessions, lets calls in flight finish for `graceMs`, then closes what is left. Resolves when all is closed. */
  stop(graceMs: number): Promise<void>;
}

function credentialsOf(tls: GrpcServerTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const pair = { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) };
  const clientCa = tls.clientCa === undefined ? null : Buffer.from(tls.clientCa);
  return ServerCredentials.createSsl(clientCa, [pair], clientCa !== null);
}

function createServer(limits: GrpcServerLimits): Server {
  return new Server({
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

/**
 * The gRPC binding of the executor contract. Every call proves an executor key, and all but Register a session token, before
 * anything of it is read.
 */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const { controlPlane, limits, logger } = options;
  const server = createServer(limits);
  const injector = server.createConnectionInjector(credentialsOf(options.tls));
  const guard = createConnectionGuard({
    inject: (socket) => injector.injectConnection(socket),
    limits,
    logger,
  });
  const open = new OpenStreams(limits.executorStreamsMax);
  const stopping = new AbortController();
  const binding = new RpcBinding({
    server,
    controlPlane,
    authenticate: createAuthenticator(controlPlane, options.keys),
    authenticated: guard.authenticated,
    open,
    limits,
    stopping: stopping.signal,
    logger,
  });
  binding.bindAll();

  return {
    listen: guard.listen,
    async stop(graceMs) {
      stopping.abort();
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
