import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from '../../../base/logger.ts';
import type { GrpcServerLimits } from '../../grpc-server-limits.ts';
import { Connection } from '../connection.ts';
import type { RefusalLog } from './refusal-log.ts';
import { TokenBucket } from './token-bucket.ts';

export interface ConnectionGuardOptions {
  /** Takes an accepted connection over. */
  readonly inject: (socket: Socket) => void;
  readonly limits: Pick<GrpcServerLimits, 'connectionsMax' | 'unprovedConnectionsMax' | 'authenticateMs'> &
    FrameLimits;
  readonly logger: Logger;
  readonly refusals: RefusalLog;
}

interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

function peerOf({ remoteAddress, remotePort }: Peer): string | null {
  return remoteAddress === undefined ? null : `${remoteAddress}:${remotePort}`;
}

/**
 * Accepts connections, at most so many, and closes those that prove nothing in time. Of those that have proved nothing yet only
 * so many are kept: the oldest makes room, so that strangers cannot take the places of executors.
 *
 * A peer is `address:port`. A connection by a Unix socket has none and proves nothing: whoever may open it is on this machine.
 */
export class ConnectionGuard {
  readonly #options: ConnectionGuardOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Map<string, Connection>();
  /** In the order of their coming. */
  readonly #unproved = new Map<string, Connection>();

  constructor(options: ConnectionGuardOptions) {
    this.#options = options;
    const { limits, refusals } = options;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = limits.connectionsMax;
    this.#server.on('drop', () =>
      refusals.note('refused a connection', { connectionsMax: limits.connectionsMax }),
    );
  }

  /** Resolves with the port; 0 for a Unix socket (`unix:PATH` as the host). */
  listen(host: string, port: number): Promise<number> {
    const server = this.#server;
    const { logger } = this.#options;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      const listening = () => {
        server.off('error', reject);
        server.on('error', (error) => logger.error({ err: error }, 'the listener failed'));
        const address = server.address();
        resolve(address === null || typeof address === 'string' ? 0 : address.port);
      };
      if (host.startsWith('unix:')) server.listen(host.slice('unix:'.length), listening);
      else server.listen(port, host, listening);
    });
  }

  /** The connection speaks HTTP/2: its frames are counted from now on. */
  speaks(session: ServerHttp2Session): void {
    const { limits, refusals } = this.#options;
    const peer = session.socket === undefined ? null : peerOf(session.socket);
    const connection = peer === null ? undefined : this.#connections.get(peer);
    connection?.speaks(session);
    guardFrames({
      session,
      limits,
      isProved: () => connection === undefined || connection.isProved,
      refused: (why) => refusals.note(`closed a connection with ${why}`, { peer }),
    });
  }

  /** A call of this peer has proved the key of this fingerprint. */
  authenticated(peer: string, key: string): void {
    this.#connections.get(peer)?.proved(key);
    this.#unproved.delete(peer);
  }

  /** This peer has asked for the server's health. */
  probes(peer: string): void {
    this.#connections.get(peer)?.probes();
  }

  /** Keeps the peer's connection although it proves nothing, until the returned release is called. */
  hold(peer: string): () => void {
    return this.#connections.get(peer)?.hold() ?? (() => undefined);
  }

  /** Connections without a key that `isValid` still knows have to prove another. */
  challenge(isValid: (key: string) => boolean): void {
    for (const [peer, connection] of this.#connections) {
      if (connection.forget(isValid)) this.#unproved.set(peer, connection);
    }
  }

  counts(): { readonly connections: number; readonly unproved: number } {
    return { connections: this.#sockets.size, unproved: this.#unproved.size };
  }

  /** Accepts no more; resolves when the last connection has closed. */
  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  destroyConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    const { inject, logger } = this.#options;
    const peer = peerOf(socket);
    this.#sockets.add(socket);
    socket.on('error', (error) => logger.debug({ peer, err: error }, 'connection failed'));
    socket.once('close', () => this.#sockets.delete(socket));
    if (peer !== null) this.#guard(peer, socket);
    inject(socket);
  }

  #guard(peer: string, socket: Socket): void {
    const { limits, refusals } = this.#options;
    this.#makeRoom();
    const connection = new Connection({
      socket,
      authenticateMs: limits.authenticateMs,
      closing(isProbe) {
        if (!isProbe) refusals.note('closed a connection that did not authenticate in time', { peer });
      },
    });
    this.#connections.set(peer, connection);
    this.#unproved.set(peer, connection);
    socket.once('close', () => {
      connection.gone();
      if (this.#connections.get(peer) === connection) this.#connections.delete(peer);
      if (this.#unproved.get(peer) === connection) this.#unproved.delete(peer);
    });
  }

  #makeRoom(): void {
    const { limits, refusals } = this.#options;
    if (this.#unproved.size < limits.unprovedConnectionsMax) return;
    for (const [peer, connection] of this.#unproved) {
      if (connection.isHeld) continue;
      refusals.note('closed the oldest of too many connections that did not authenticate', { peer });
      connection.destroy();
      this.#unproved.delete(peer);
      return;
    }
  }
}

type FrameLimits = Pick<GrpcServerLimits, 'pings' | 'resets' | 'settingsFrames' | 'unprovedCallsMax'>;

interface FrameGuardOptions {
  readonly session: ServerHttp2Session;
  readonly limits: FrameLimits;
  /** Whether the connection has proved a key by now. */
  readonly isProved: () => boolean;
  /** The session was closed for this. */
  readonly refused: (why: string) => void;
}

/**
 * Closes a session (GOAWAY, `ENHANCE_YOUR_CALM`) whose peer sends more pings, settings or resets than its rate, or more calls
 * than a connection may make that has proved nothing. What HTTP/2 itself forbids, and a peer that does not read its
 * acknowledgements, the transport ends by itself.
 * Source: RFC 9113, 10.5; CVE-2019-9512, CVE-2019-9515, CVE-2023-44487.
 */
function guardFrames({ session, limits, isProved, refused }: FrameGuardOptions): void {
  const now = performance.now();
  const pings = new TokenBucket(limits.pings, now);
  const resets = new TokenBucket(limits.resets, now);
  const settings = new TokenBucket(limits.settingsFrames, now);
  let calls = 0;
  let isClosed = false;

  function close(why: string): void {
    if (isClosed) return;
    isClosed = true;
    refused(why);
    if (session.destroyed) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    session.destroy();
  }

  session.on('ping', () => {
    if (!pings.take(performance.now())) close('too many pings');
  });
  session.on('remoteSettings', () => {
    if (!settings.take(performance.now())) close('too many settings');
  });
  session.on('stream', (stream: ServerHttp2Stream) => {
    calls += 1;
    if (calls > limits.unprovedCallsMax && !isProved()) {
      close('too many calls without a valid key');
      return;
    }
    stream.once('close', () => {
      // Set by the peer's reset too; 0 is how the server itself ends a call that it answered early.
      const { rstCode } = stream;
      if (rstCode !== undefined && rstCode !== 0 && !resets.take(performance.now())) close('too many resets');
    });
  });
}
