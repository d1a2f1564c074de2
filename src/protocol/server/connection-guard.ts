import { createServer, type Socket } from 'node:net';
import type { Logger } from '../../base/logger.ts';
import type { GrpcServerLimits } from '../grpc-server-limits.ts';

export interface ConnectionGuardOptions {
  /** Takes an accepted connection over. */
  readonly inject: (socket: Socket) => void;
  readonly limits: Pick<GrpcServerLimits, 'connectionsMax' | 'authenticateMs'>;
  readonly logger: Logger;
}

/** Accepts connections, at most so many, and closes those that prove nothing in time. */
export interface ConnectionGuard {
  /** Resolves with the port; 0 for a Unix socket (`unix:PATH` as the host). */
  listen(host: string, port: number): Promise<number>;
  /** A call of this peer (`address:port`) has proved a key. */
  authenticated(peer: string): void;
  /** Accepts no more; resolves when the last connection has closed. */
  close(): Promise<void>;
  destroyConnections(): void;
}

function peerOf(socket: Socket): string | null {
  return socket.remoteAddress === undefined ? null : `${socket.remoteAddress}:${socket.remotePort}`;
}

export function createConnectionGuard({ inject, limits, logger }: ConnectionGuardOptions): ConnectionGuard {
  const sockets = new Set<Socket>();
  const unproved = new Map<string, NodeJS.Timeout>();

  function authenticated(peer: string): void {
    const timer = unproved.get(peer);
    if (timer === undefined) return;
    clearTimeout(timer);
    unproved.delete(peer);
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    // A Unix socket has no peer address; whoever may open it is on this machine.
    const peer = peerOf(socket);
    if (peer !== null) {
      const timer = setTimeout(() => {
        unproved.delete(peer);
        logger.warn({ peer }, 'closed a connection that did not authenticate in time');
        socket.destroy();
      }, limits.authenticateMs);
      unproved.set(peer, timer);
    }
    socket.on('error', (error) => logger.debug({ peer, err: error }, 'connection failed'));
    socket.once('close', () => {
      sockets.delete(socket);
      if (peer !== null) authenticated(peer);
    });
    inject(socket);
  });
  server.maxConnections = limits.connectionsMax;
  server.on('drop', () => logger.warn({ connectionsMax: limits.connectionsMax }, 'refused a connection'));

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        const listening = () => {
          server.off('error', reject);
          server.on('error', (error) => logger.error({ err: error }, 'the listener failed'));
          const address = server.address();
          resolve(address === null || typeof address === 'string' ? 0 : address.port);
        };
        if (host.startsWith('unix:')) server.listen(host.slice('unix:'.length), listening);
        else server.listen(port, host, listening);
      }),
    authenticated,
    close: () => new Promise((resolve) => server.close(() => resolve())),
    destroyConnections() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
