import { silentLogger } from '../../../src/base/logger.ts';
import type { ControlPlane } from '../../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../../src/protocol/grpc-client.ts';
import { createGrpcServer } from '../../../src/protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS, type GrpcServerLimits } from '../../../src/protocol/grpc-server-limits.ts';
import type { Binding, BoundServer } from '../conformance/scenario.ts';
import { startRelay } from './relay.ts';

export const KEY = 'executor-key-of-the-tests-0123456789';

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
    const between = await startRelay(await server.listen('127.0.0.1', 0));
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
