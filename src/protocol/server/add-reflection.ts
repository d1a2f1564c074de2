import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HEALTH_PROTO_PATH, PROTO_PATH } from '../wire/definition/proto-path.ts';

/** Answers what services and messages there are (`grpc.reflection.v1` and `v1alpha`). Its calls need an executor key. */
export function addReflection(server: Server): void {
  new ReflectionService(loadSync([PROTO_PATH, HEALTH_PROTO_PATH])).addToServer(server);
}
