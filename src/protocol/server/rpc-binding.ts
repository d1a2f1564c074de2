import type {
  Server,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  sendUnaryData,
} from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ControlPlane, ExecutorIdentity, Lease, RegisterRequest } from '../control-plane.ts';
import type { GrpcServerLimits } from '../grpc-server-limits.ts';
import { toServiceError } from '../grpc-status.ts';
import { HeldLeases } from '../held-leases.ts';
import { fromCheckpoint, fromSaved, toSaveCheckpoint, type WireSaveCheckpoint } from '../wire/checkpoint.ts';
import { toDeadLetterBatch, type WireDeadLetterBatch } from '../wire/dead-letter-batch.ts';
import { decodeMessage, RPCS, type RpcName } from '../wire/definition/service-definition.ts';
import { toLease } from '../wire/lease.ts';
import { toMetricBatch, type WireMetricBatch } from '../wire/metric-batch.ts';
import { fromPartsAnswer, toPartsRequest, type WirePartsRequest } from '../wire/parts.ts';
import { toRegisterRequest } from '../wire/registration.ts';
import { fromReplayRows } from '../wire/replay-rows.ts';
import { fromRunSpec } from '../wire/run-spec.ts';
import { count, present, text } from '../wire/scalars.ts';
import type { Authenticator, Caller } from './authenticator.ts';
import { ExecutorSession } from './executor-session.ts';
import type { OpenStreams } from './limits/open-streams.ts';
import { answerInOrder } from './ordered-answers.ts';

const UNARY_NAMES = [
  'Register',
  'GetRunSpec',
  'GetReplayRows',
  'GetCheckpoint',
  'SaveCheckpoint',
  'WorkOnParts',
  'Deregister',
] as const satisfies readonly RpcName[];
type UnaryName = (typeof UNARY_NAMES)[number];

interface Leased {
  readonly lease: Lease | null;
  readonly name: string;
}

/** Answers one decoded request. `executor` is `null` where the RPC asks for the key alone. */
async function answerUnary(
  controlPlane: ControlPlane,
  rpc: UnaryName,
  request: object,
  executor: ExecutorIdentity | null,
): Promise<object> {
  switch (rpc) {
    case 'Register':
      return controlPlane.register(toRegisterRequest(request as RegisterRequest));
    case 'GetRunSpec':
      return fromRunSpec(await controlPlane.runSpec(toLease((request as Leased).lease)));
    case 'GetReplayRows': {
      const { lease, after } = request as Leased & { readonly after: number };
      return fromReplayRows(await controlPlane.replayRows(toLease(lease), count(after, 'after')));
    }
    case 'GetCheckpoint': {
      const { lease, name } = request as Leased;
      return fromCheckpoint(await controlPlane.checkpoint(toLease(lease), text(name, 'name')));
    }
    case 'SaveCheckpoint':
      return fromSaved(await controlPlane.saveCheckpoint(toSaveCheckpoint(request as WireSaveCheckpoint)));
    case 'WorkOnParts':
      return fromPartsAnswer(await controlPlane.parts(toPartsRequest(request as WirePartsRequest)));
    case 'Deregister':
      return { requeued: await controlPlane.deregister(present(executor, 'x-executor-id')) };
    default:
      return rpc satisfies never;
  }
}

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
    for (const rpc of UNARY_NAMES) this.#bindUnary(rpc);
    this.#bindStream('Session', (call, executor) => this.#serveSession(call, executor));
    this.#bindBatches('AppendLogs', (held, bytes) => held.appendLogs({ encoding: 'protobuf', bytes }));
    this.#bindBatches('ReportMetrics', async (held, bytes) => {
      const { requestDeserialize } = RPCS.ReportMetrics;
      const wire = decodeMessage<WireMetricBatch>('ReportMetrics', requestDeserialize, bytes);
      return held.reportMetrics(toMetricBatch(wire));
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
    if (call.cancelled) throw new AppError('NOT_READY', 'The caller has disconnected');
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
    const { limits, logger, open } = this.#options;
    const controlPlane = new HeldLeases(this.#options.controlPlane, executor);
    return open.serveSession(executor, new ExecutorSession({ call, executor, controlPlane, limits, logger }));
  }

  #bindUnary(rpc: UnaryName): void {
    const { path, requestDeserialize, responseSerialize } = RPCS[rpc];
    const run = async (call: UnaryCall): Promise<object> => {
      const { executor } = await this.#admit(rpc, call);
      const request = decodeMessage<object>(rpc, requestDeserialize, call.request);
      const { controlPlane } = this.#options;
      const held = executor === null ? controlPlane : new HeldLeases(controlPlane, executor);
      return answerUnary(held, rpc, request, executor);
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
  #bindBatches(rpc: RpcName, answerOf: (held: HeldLeases, bytes: Buffer) => Promise<object>): void {
    const { controlPlane, limits, stopping } = this.#options;
    this.#bindStream(rpc, async (call, executor) => {
      const held = new HeldLeases(controlPlane, executor);
      const answer = (bytes: Buffer) => answerOf(held, bytes);
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
      this.#admitStream(rpc, call, (executor) =>
        storeDeadLetters(call, new HeldLeases(controlPlane, executor), limits.deadLetterBatchesMax),
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

/**
 * Stores the batches of one PutDeadLetters call one after another; the reply is the last batch's, or the first that was
 * refused. `VALIDATION_ERROR` for a call without a batch, `PAYLOAD_TOO_LARGE` beyond `batchesMax`.
 */
async function storeDeadLetters(
  call: ServerReadableStream<Buffer, object>,
  controlPlane: Pick<ControlPlane, 'putDeadLetters'>,
  batchesMax: number,
): Promise<object> {
  let reply: Awaited<ReturnType<ControlPlane['putDeadLetters']>> | null = null;
  let batches = 0;
  for await (const bytes of call.iterator({ destroyOnReturn: false })) {
    batches += 1;
    if (batches > batchesMax) {
      throw new AppError('PAYLOAD_TOO_LARGE', `Send at most ${batchesMax} batches of dead letters in a call`);
    }
    const { requestDeserialize } = RPCS.PutDeadLetters;
    const wire = decodeMessage<WireDeadLetterBatch>('PutDeadLetters', requestDeserialize, bytes);
    reply = await controlPlane.putDeadLetters(toDeadLetterBatch(wire));
    if (reply.outcome !== 'ACCEPTED' && reply.outcome !== 'ALREADY_DONE') return reply;
  }
  if (reply === null) throw new AppError('VALIDATION_ERROR', 'Send at least one batch of dead letters');
  return reply;
}
