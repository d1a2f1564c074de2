import type {
  Server,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  sendUnaryData,
} from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ControlPlane, ExecutorIdentity } from '../control-plane.ts';
import type { GrpcServerLimits } from '../grpc-server-limits.ts';
import { toServiceError } from '../grpc-status.ts';
import { decodeMessage, RPCS, type RpcName } from '../wire/definition/service-definition.ts';
import { toMetricBatch, type WireMetricBatch } from '../wire/metric-batch.ts';
import { present } from '../wire/scalars.ts';
import { answerUnary, UNARY_NAMES, type UnaryName } from './answer-unary.ts';
import type { Authenticator, Caller } from './authenticator.ts';
import { storeDeadLetters } from './dead-letter-intake.ts';
import { ExecutorSession } from './executor-session.ts';
import type { OpenStreams } from './limits/open-streams.ts';
import { answerInOrder } from './ordered-answers.ts';

type StreamCall = ServerDuplexStream<Buffer, object>;
type BatchesCall = ServerReadableStream<Buffer, object>;
type UnaryCall = ServerUnaryCall<Buffer, object>;

export interface RpcBindingOptions {
  readonly server: Server;
  readonly controlPlane: ControlPlane;
  readonly authenticate: Authenticator;
  /** A call of this peer has proved itself with the key of this fingerprint. */
  readonly authenticated: (peer: string, key: string) => void;
  readonly open: OpenStreams;
  readonly limits: GrpcServerLimits;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

/** Requests reach the handlers as bytes: log frames are decoded elsewhere, and a malformed message gets a status of its own. */
const asBytes = (bytes: Buffer): Buffer => bytes;

export function stoppingError(): AppError {
  return new AppError('NOT_READY', 'The control plane is stopping; connect again', { retryAfterSeconds: 1 });
}

/** Binds the RPCs to a server, each behind its authentication. */
export class RpcBinding {
  readonly #options: RpcBindingOptions;

  constructor(options: RpcBindingOptions) {
    this.#options = options;
  }

  bindAll(): void {
    const { controlPlane } = this.#options;
    for (const rpc of UNARY_NAMES) this.#bindUnary(rpc);
    this.#bindStream('Session', (call, executor) => this.#serveSession(call, executor));
    this.#bindBatches('AppendLogs', (bytes) => controlPlane.appendLogs({ encoding: 'protobuf', bytes }));
    this.#bindBatches('ReportMetrics', async (bytes) => {
      const { requestDeserialize } = RPCS.ReportMetrics;
      const wire = decodeMessage<WireMetricBatch>('ReportMetrics', requestDeserialize, bytes);
      return controlPlane.reportMetrics(toMetricBatch(wire));
    });
    this.#bindDeadLetters();
  }

  #failure(rpc: RpcName, error: unknown) {
    if (error instanceof AppError) return toServiceError(error);
    this.#options.logger.error({ rpc, err: error }, 'an executor call failed');
    return toServiceError(new AppError('INTERNAL_ERROR', 'The control plane failed; see its log'));
  }

  async #admit(rpc: RpcName, call: StreamCall | BatchesCall | UnaryCall): Promise<Caller> {
    const { authenticate, authenticated, stopping } = this.#options;
    const caller = await authenticate(rpc, call.metadata);
    authenticated(call.getPeer(), caller.key);
    if (stopping.aborted) throw stoppingError();
    if (call.cancelled) throw new AppError('NOT_READY', 'The caller has gone');
    return caller;
  }

  async #admitStream<T>(
    rpc: RpcName,
    call: StreamCall | BatchesCall,
    serve: (executor: ExecutorIdentity) => Promise<T>,
  ): Promise<T> {
    const caller = await this.#admit(rpc, call);
    const executor = present(caller.executor, 'x-executor-id');
    return this.#options.open.during(executor, caller.key, () => serve(executor));
  }

  #serveSession(call: StreamCall, executor: ExecutorIdentity): Promise<void> {
    const { controlPlane, limits, logger, open } = this.#options;
    return open.serveSession(executor, new ExecutorSession({ call, executor, controlPlane, limits, logger }));
  }

  #bindUnary(rpc: UnaryName): void {
    const { path, requestDeserialize, responseSerialize } = RPCS[rpc];
    const run = async (call: UnaryCall): Promise<object> => {
      const { executor } = await this.#admit(rpc, call);
      const request = decodeMessage<object>(rpc, requestDeserialize, call.request);
      return answerUnary(this.#options.controlPlane, rpc, request, executor);
    };
    const handler = (call: UnaryCall, reply: sendUnaryData<object>): void => {
      run(call).then(
        (message) => reply(null, message),
        (error) => reply(this.#failure(rpc, error)),
      );
    };
    this.#options.server.register(path, handler, responseSerialize, asBytes, 'unary');
  }

  #bindStream(rpc: RpcName, serve: (call: StreamCall, executor: ExecutorIdentity) => Promise<void>): void {
    const { path, responseSerialize } = RPCS[rpc];
    const handler = (call: StreamCall): void => {
      this.#admitStream(rpc, call, (executor) => serve(call, executor)).then(
        () => call.end(),
        (error) => {
          // A call that its peer has left takes no status.
          if (!call.cancelled) call.emit('error', this.#failure(rpc, error));
        },
      );
    };
    this.#options.server.register(path, handler, responseSerialize, asBytes, 'bidi');
  }

  /** A stream on which each batch has one answer; it ends as NOT_READY when the server stops. */
  #bindBatches(rpc: RpcName, answer: (bytes: Buffer) => Promise<object>): void {
    const { limits, stopping } = this.#options;
    this.#bindStream(rpc, async (call) => {
      const { batchesInFlightMax: inFlightMax, batchBytesInFlightMax: inFlightBytesMax } = limits;
      await answerInOrder({ call, inFlightMax, inFlightBytesMax, answer, stopping });
      if (stopping.aborted) throw stoppingError();
    });
  }

  #bindDeadLetters(): void {
    const { controlPlane, limits, server } = this.#options;
    const rpc = 'PutDeadLetters';
    const { path, responseSerialize } = RPCS[rpc];
    const handler = (call: BatchesCall, reply: sendUnaryData<object>): void => {
      this.#admitStream(rpc, call, () =>
        storeDeadLetters(call, controlPlane, limits.deadLetterBatchesMax),
      ).then(
        (message) => reply(null, message),
        (error) => {
          if (!call.cancelled) reply(this.#failure(rpc, error));
        },
      );
    };
    server.register(path, handler, responseSerialize, asBytes, 'clientStream');
  }
}
