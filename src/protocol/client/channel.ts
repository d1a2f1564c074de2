import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  type ClientWritableStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import type { ExecutorIdentity } from '../control-plane.ts';
import type { GrpcClientLimits } from '../grpc-client-limits.ts';
import { fromServiceError } from '../grpc-status.ts';
import { RPCS, type RpcName } from '../wire/definition/service-definition.ts';

/** PEM text. `cert` and `key` together prove the executor to a server that asks for it (mTLS). */
export interface GrpcClientTls {
  /** The authority that signed the server's certificate; the system's where it is left out. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name in the server's certificate, where it is not the address's host. */
  readonly serverName?: string;
}

function credentialsOf(tls: GrpcClientTls | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(pem(tls.ca), pem(tls.key), pem(tls.cert));
}

const asBytes = (bytes: Buffer): Buffer => bytes;

/** The connection to one control plane: calls by RPC name, with the executor's credentials on each. */
export class Channel {
  readonly #client: Client;
  readonly #key: string;
  readonly #limits: GrpcClientLimits;
  #identity: ExecutorIdentity | null = null;

  constructor(address: string, key: string, tls: GrpcClientTls | undefined, limits: GrpcClientLimits) {
    this.#key = key;
    this.#limits = limits;
    const serverName = tls?.serverName;
    this.#client = new Client(address, credentialsOf(tls), {
      'grpc.keepalive_time_ms': limits.keepaliveMs,
      'grpc.keepalive_timeout_ms': limits.keepaliveTimeoutMs,
      'grpc.keepalive_permit_without_calls': 0,
      'grpc.initial_reconnect_backoff_ms': limits.reconnectMinMs,
      'grpc.max_reconnect_backoff_ms': limits.reconnectMaxMs,
      'grpc.max_receive_message_length': limits.messageBytesMax,
      'grpc.service_config_disable_resolution': 1,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_http_proxy': 0,
      'grpc.enable_channelz': 0,
      ...(serverName === undefined
        ? {}
        : { 'grpc.ssl_target_name_override': serverName, 'grpc.default_authority': serverName }),
    });
  }

  /** Every call from now on is this executor's. */
  identify(identity: ExecutorIdentity): void {
    this.#identity = identity;
  }

  unary<Reply>(rpc: RpcName, request: object): Promise<Reply> {
    const { path, requestSerialize, responseDeserialize } = RPCS[rpc];
    return this.#settled((metadata, deadline, done) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        { deadline },
        done,
      );
    }, rpc);
  }

  /** Sends all of `requests` as one call; `write` them in order and ends. */
  clientStream<Reply>(rpc: RpcName, requests: readonly object[]): Promise<Reply> {
    const { path, requestSerialize, responseDeserialize } = RPCS[rpc];
    return this.#settled((metadata, deadline, done) => {
      const call: ClientWritableStream<object> = this.#client.makeClientStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        metadata,
        { deadline },
        done,
      );
      for (const request of requests) call.write(request);
      call.end();
    }, rpc);
  }

  /** A stream that takes encoded requests. `PRECONDITION_FAILED` before `register`, `NOT_READY` after `close`. */
  stream<Reply>(rpc: RpcName): ClientDuplexStream<Buffer, Reply> {
    const { path, responseDeserialize } = RPCS[rpc];
    const metadata = this.#metadata(rpc);
    try {
      return this.#client.makeBidiStreamRequest(
        path,
        asBytes,
        responseDeserialize as (bytes: Buffer) => Reply & object,
        metadata,
      ) as ClientDuplexStream<Buffer, Reply>;
    } catch (cause) {
      throw new AppError('NOT_READY', 'The client is closed', { cause });
    }
  }

  close(): void {
    this.#client.close();
  }

  #metadata(rpc: RpcName): Metadata {
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${this.#key}`);
    if (rpc === 'Register') return metadata;
    if (this.#identity === null) {
      throw new AppError('PRECONDITION_FAILED', `Call "Register" before "${rpc}"`);
    }
    metadata.set('x-executor-id', String(this.#identity.executor_id));
    metadata.set('x-session-token', this.#identity.session_token);
    return metadata;
  }

  #settled<Reply>(
    start: (
      metadata: Metadata,
      deadline: Date,
      done: (error: ServiceError | null, reply?: object) => void,
    ) => void,
    rpc: RpcName,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const metadata = this.#metadata(rpc);
      const deadline = new Date(Date.now() + this.#limits.callMs);
      try {
        start(metadata, deadline, (error, reply) => {
          if (error === null) resolve(reply as Reply);
          else reject(fromServiceError(error));
        });
      } catch (cause) {
        reject(new AppError('NOT_READY', 'The client is closed', { cause }));
      }
    });
  }
}
