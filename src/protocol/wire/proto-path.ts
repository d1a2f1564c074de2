import { fileURLToPath } from 'node:url';

/** The executor service's proto file; the same from any working directory. */
export const PROTO_PATH = fileURLToPath(
  new URL('../../../proto/headgate/executor/v1/executor.proto', import.meta.url),
);
