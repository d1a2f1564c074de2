import { fileURLToPath } from 'node:url';

const protoFile = (path: string) => fileURLToPath(new URL(`../../../proto/${path}`, import.meta.url));

/** The executor service's proto file; the same from any working directory. */
export const PROTO_PATH = protoFile('headgate/executor/v1/executor.proto');
/** The standard health service's. Source: https://github.com/grpc/grpc-proto. */
export const HEALTH_PROTO_PATH = protoFile('grpc/health/v1/health.proto');
