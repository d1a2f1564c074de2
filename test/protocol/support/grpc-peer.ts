import { once } from 'node:events';
import { Client, type ClientDuplexStream, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Test } from 'tap';
import type { AppError } from '../../../src/base/errors.ts';
import { createGrpcClient } from '../../../src/protocol/grpc-client.ts';
import type { GrpcServerLimits } from '../../../src/protocol/grpc-server-limits.ts';
import { fromServiceError } from '../../../src/protocol/grpc-status.ts';
import { RPCS, type RpcName } from '../../../src/protocol/wire/definition/service-definition.ts';
import { grpcServer, KEY } from './grpc-binding.ts';
import { MemoryControlPlane } from './memory-control-plane.ts';
import { REGISTER_REQUEST } from './samples.ts';

const asBytes = (bytes: Buffer) => bytes;

/** A server, an executor that is registered, and a bare gRPC client that sends whatever bytes it is told to. */
export async function startPeer(t: Test, limits: Partial<GrpcServerLimits> = {}, keys = [KEY]) {
  const plane = new MemoryControlPlane();
  const server = grpcServer(plane, limits, keys);
  const port = await server.listen('127.0.0.1', 0);
  const address = `127.0.0.1:${port}`;
  const client = createGrpcClient({ address, key: keys[0] ?? '', limits: { reconnectMinMs: 10 } });
  const bare = new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  t.teardown(async () => {
    await client.close();
    bare.close();
    await server.stop(200);
  });
  const registration = await client.register(REGISTER_REQUEST);
  const metadata = (fields: Record<string, string>) => {
    const made = new Metadata();
    for (const [name, value] of Object.entries(fields)) made.set(name, value);
    return made;
  };
  const own = {
    authorization: `Bearer ${KEY}`,
    'x-executor-id': String(registration.executor_id),
    'x-session-token': registration.session_token,
  };
  const open = (rpc: RpcName, fields: Record<string, string> = own) =>
    bare.makeBidiStreamRequest(RPCS[rpc].path, asBytes, asBytes, metadata(fields));
  return { plane, server, port, client, registration, own, open };
}

/** The error that ends the stream. */
export async function errorOf(stream: ClientDuplexStream<Buffer, Buffer>): Promise<AppError> {
  stream.on('data', () => undefined);
  const [error] = (await once(stream, 'error')) as [ServiceError];
  return fromServiceError(error);
}
