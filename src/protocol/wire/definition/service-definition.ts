import type { Type } from 'protobufjs';
import { AppError } from '../../../base/errors.ts';
import { protoRoot } from './proto-root.ts';

export const SERVICE = 'headgate.executor.v1.ExecutorService';

export const RPC_NAMES = [
  'Register',
  'Session',
  'AppendLogs',
  'ReportMetrics',
  'GetRunSpec',
  'GetReplayRows',
  'GetCheckpoint',
  'SaveCheckpoint',
  'WorkOnParts',
  'PutDeadLetters',
  'Deregister',
] as const;
export type RpcName = (typeof RPC_NAMES)[number];

/** Plain objects (keys as in the proto) to bytes, and back. */
export type Serialize = (message: object) => Buffer;
export type Deserialize = (bytes: Buffer) => object;

/** One RPC: its HTTP/2 path, its kind, and its codecs. */
export interface Rpc {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: Serialize;
  readonly requestDeserialize: Deserialize;
  readonly responseSerialize: Serialize;
  readonly responseDeserialize: Deserialize;
}

export type RpcTable<Name extends string> = Readonly<Record<Name, Rpc>>;

const PLAIN = { longs: Number, enums: String, defaults: true, oneofs: true };

/** As `@grpc/proto-loader` does it, which describes each message besides and takes three times as long. */
function codecOf(type: Type | null): { readonly serialize: Serialize; readonly deserialize: Deserialize } {
  if (type === null) throw new Error('The proto files are not resolved');
  return {
    serialize: (message) => type.encode(type.fromObject(message)).finish() as Buffer,
    deserialize: (bytes) => type.toObject(type.decode(bytes), PLAIN),
  };
}

/** RPCs of a service as the proto files define them; longs are numbers, enums names, absent messages `null`. */
export function rpcTableOf<Name extends string>(service: string, names: readonly Name[]): RpcTable<Name> {
  const { methods } = protoRoot.lookupService(service);
  const rpcs = names.map((name): [Name, Rpc] => {
    const method = methods[name];
    if (method === undefined) throw new Error(`The proto file has no RPC "${name}"`);
    const request = codecOf(method.resolvedRequestType);
    const response = codecOf(method.resolvedResponseType);
    const rpc: Rpc = {
      path: `/${service}/${name}`,
      requestStream: method.requestStream === true,
      responseStream: method.responseStream === true,
      requestSerialize: request.serialize,
      requestDeserialize: request.deserialize,
      responseSerialize: response.serialize,
      responseDeserialize: response.deserialize,
    };
    return [name, rpc];
  });
  return Object.freeze(Object.fromEntries(rpcs) as Record<Name, Rpc>);
}

export const RPCS = rpcTableOf(SERVICE, RPC_NAMES);

/** Reads one message. `VALIDATION_ERROR` where the bytes are not one. */
export function decodeMessage<Wire>(name: RpcName, deserialize: Deserialize, bytes: Buffer): Wire {
  try {
    return deserialize(bytes) as Wire;
  } catch (cause) {
    throw new AppError('VALIDATION_ERROR', `The body is not a valid message of "${name}"; see the proto`, {
      cause,
    });
  }
}
