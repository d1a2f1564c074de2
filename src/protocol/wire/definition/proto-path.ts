import { programFile } from '../../../base/program-files.ts';

/** The executor service's proto file; the same from any working directory. */
export const PROTO_PATH = programFile('proto/headgate/executor/v1/executor.proto');
/** The standard health service's. Source: https://github.com/grpc/grpc-proto. */
export const HEALTH_PROTO_PATH = programFile('proto/grpc/health/v1/health.proto');
