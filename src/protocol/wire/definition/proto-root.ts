import protobuf from 'protobufjs';
import { HEALTH_PROTO_PATH, PROTO_PATH } from './proto-path.ts';

/** The messages and services of the proto files, read once in a process or thread. */
export const protoRoot = new protobuf.Root()
  .loadSync([PROTO_PATH, HEALTH_PROTO_PATH], { keepCase: true })
  .resolveAll();
