import { connect, createServer, type Socket } from 'node:net';
import { silentLogger } from '../../../src/base/logger.ts';
import type { ControlPlane } from '../../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../../src/protocol/grpc-client.ts';
import { createGrpcServer } from '../../../src/protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS, type GrpcServerLimits } from '../../../src/protocol/grpc-server-limits.ts';
import type { Binding, BoundServer } from '../conformance/scenario.ts';

export const KEY = 'executor-key-of-the-tests-0123456789';

/** A TCP relay whose connections can be broken, in front of `port`. */
async function relay(port: number): Promise<{ port: number; breakAll(): void; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    breakAll,
    close() {
      breakAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function grpcServer(controlPlane: ControlPlane, limits: Partial<GrpcServerLimits> = {}, keys = [KEY]) {
  return createGrpcServer({
    controlPlane,
    keys: () => keys,
    limits: { ...GRPC_SERVER_LIMITS, ...limits },
    logger: silentLogger,
  });
}

export const grpcBinding: Binding = {
  name: 'gRPC',
  async serve(controlPlane): Promise<BoundServer> {
    const server = grpcServer(controlPlane);
    const between = await relay(await server.listen('127.0.0.1', 0));
    return {
      key: KEY,
      client: (key = KEY) =>
        createGrpcClient({ address: `127.0.0.1:${between.port}`, key, limits: { reconnectMinMs: 10 } }),
      breakConnections: between.breakAll,
      async stop() {
        await server.stop(500);
        await between.close();
      },
    };
  },
};
