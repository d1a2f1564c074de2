import { type Deserialize, loadSync, type MethodDefinition, type Serialize } from '@grpc/proto-loader';
import { AppError } from '../../base/errors.ts';
import { PROTO_PATH } from './proto-path.ts';

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
  'PutDeadLetters',
  'Deregister',
] as const;
export type RpcName = (typeof RPC_NAMES)[number];

/** One RPC: its HTTP/2 path, its kind, and its codecs between plain objects (keys as in the proto) and bytes. */
export interface Rpc {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: Serialize<object>;
  readonly requestDeserialize: Deserialize<object>;
  readonly responseSerialize: Serialize<object>;
  readonly responseDeserialize: Deserialize<object>;
}

export type RpcTable = Readonly<Record<RpcName, Rpc>>;

function loadRpcTable(): RpcTable {
  const definition = loadSync(PROTO_PATH, {
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const service = definition[SERVICE] as Readonly<Record<string, MethodDefinition<object, object>>>;
  const rpcs = RPC_NAMES.map((name): [RpcName, Rpc] => {
    const rpc = service[name];
    if (rpc === undefined) throw new Error(`The proto file has no RPC "${name}"`);
    return [name, rpc];
  });
  return Object.freeze(Object.fromEntries(rpcs) as Record<RpcName, Rpc>);
}

/** The service's RPCs as the proto file defines them; longs are numbers, enums names, absent messages `null`. */
export const RPCS: RpcTable = loadRpcTable();

/** Reads one message. `VALIDATION_ERROR` where the bytes are not one. */
export function decodeMessage<Wire>(name: RpcName, deserialize: Deserialize<object>, bytes: Buffer): Wire {
  try {
    return deserialize(bytes) as Wire;
  } catch (cause) {
    throw new AppError(
      'VALIDATION_ERROR',
      `The bytes are no message of "${name}"; send what the proto says`,
      {
        cause,
      },
    );
  }
}
