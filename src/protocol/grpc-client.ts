import type { ClientDuplexStream } from '@grpc/grpc-js';
import { AppError } from '../base/errors.ts';
import { AnsweredStream } from './client/answered-stream.ts';
import { Channel, type GrpcClientTls } from './client/channel.ts';
import { onStreamEnd } from './client/stream-end.ts';
import type {
  ControlPlaneClient,
  ExecutorSession,
  Lease,
  LogAck,
  MetricAck,
  Outcome,
  RegisterRequest,
  SessionHandlers,
} from './control-plane.ts';
import { GRPC_CLIENT_LIMITS, type GrpcClientLimits } from './grpc-client-limits.ts';
import { fromSaveCheckpoint, toCheckpoint, toSaved } from './wire/checkpoint.ts';
import { type ControlEvent, toControlEvent, type WireControlMessage } from './wire/control-event.ts';
import { splitDeadLetters } from './wire/dead-letter-batch.ts';
import { RPCS } from './wire/definition/service-definition.ts';
import { type ExecutorEvent, fromExecutorEvent } from './wire/executor-event.ts';
import { toOutcome } from './wire/lease.ts';
import { toLogAck, type WireLogAck } from './wire/log/log-ack.ts';
import { encodeLogBatch } from './wire/log/log-frame.ts';
import { fromMetricBatch, toMetricAck, type WireMetricAck } from './wire/metric-batch.ts';
import { fromPartsRequest, toPartsAnswer } from './wire/parts.ts';
import { toRegistration } from './wire/registration.ts';
import { toReplayRows } from './wire/replay-rows.ts';
import { toRunSpec } from './wire/run-spec.ts';

export interface GrpcClientOptions {
  /** `HOST:PORT` or `unix:PATH`. */
  readonly address: string;
  readonly key: string;
  readonly tls?: GrpcClientTls;
  /** Replaces single figures of `GRPC_CLIENT_LIMITS`. */
  readonly limits?: Partial<GrpcClientLimits>;
}

/**
 * The gRPC binding's executor end. It connects at the first call and again after a break, without being told. `register` comes
 * first and again after `AUTH_ERROR`; what it answers goes with every later call. Nothing is sent twice by itself: a rejected
 * promise means that the caller sends again. `NOT_READY` means anything temporary.
 */
export function createGrpcClient(options: GrpcClientOptions): ControlPlaneClient {
  const limits: GrpcClientLimits = { ...GRPC_CLIENT_LIMITS, ...options.limits };
  const channel = new Channel(options.address, options.key, options.tls, limits);
  const streamLimits = {
    inFlightMax: limits.batchesInFlightMax,
    inFlightBytesMax: limits.batchBytesInFlightMax,
    messageBytesMax: limits.messageBytesMax,
  };
  const logs = new AnsweredStream<WireLogAck, LogAck>({
    ...streamLimits,
    open: () => channel.stream('AppendLogs'),
    decode: toLogAck,
  });
  const metrics = new AnsweredStream<WireMetricAck, MetricAck>({
    ...streamLimits,
    open: () => channel.stream('ReportMetrics'),
    decode: toMetricAck,
  });

  return {
    async register(request: RegisterRequest) {
      const registration = toRegistration(await channel.unary('Register', request));
      channel.identify(registration);
      return registration;
    },
    openSession: (leases, handlers) =>
      startSession(channel.stream('Session'), leases, handlers, limits.closeMs),
    appendLogs: async (batch) => logs.send(encodeLogBatch(batch)),
    reportMetrics: async (batch) => metrics.send(RPCS.ReportMetrics.requestSerialize(fromMetricBatch(batch))),
    runSpec: async (lease) => toRunSpec(await channel.unary('GetRunSpec', { lease })),
    replayRows: async (lease, after) => toReplayRows(await channel.unary('GetReplayRows', { lease, after })),
    checkpoint: async (lease, name) => toCheckpoint(await channel.unary('GetCheckpoint', { lease, name })),
    saveCheckpoint: async (request) =>
      toSaved(await channel.unary('SaveCheckpoint', fromSaveCheckpoint(request))),
    parts: async (request) => toPartsAnswer(await channel.unary('WorkOnParts', fromPartsRequest(request))),
    async putDeadLetters(batch) {
      const messages = splitDeadLetters(batch, limits.deadLetterBytesMax);
      const reply = await channel.clientStream<{ outcome: string; acked_seq: number }>(
        'PutDeadLetters',
        messages,
      );
      const outcome: Outcome = toOutcome(reply.outcome);
      return { outcome, acked_seq: reply.acked_seq };
    },
    async deregister() {
      const { requeued } = await channel.unary<{ requeued: number }>('Deregister', {});
      return requeued;
    },
    async close() {
      await Promise.all([logs.close(limits.closeMs), metrics.close(limits.closeMs)]);
      channel.close();
    },
  };
}

function tell(handlers: SessionHandlers, event: ControlEvent): void {
  switch (event.type) {
    case 'attached':
      handlers.onAttached(event.leases);
      break;
    case 'assignment':
      handlers.onAssignment(event.assignment);
      break;
    case 'assignment_ack_reply':
      handlers.onAcknowledged(event.outcome);
      break;
    case 'heartbeat_reply':
      handlers.onHeartbeat(event.reply);
      break;
    case 'cancel':
      handlers.onCancel(event.cancel);
      break;
    case 'completion_reply':
      handlers.onCompleted(event.outcome);
      break;
    case 'drain_reply':
      handlers.onDrained();
      break;
    default:
      event satisfies never;
  }
}

/**
 * The executor's end of one session over an open stream. `close` lets what was sent arrive and gives up after `closeMs`.
 * `onClosed` is called once, with `null` where the session was closed from here or ended well.
 */
function startSession(
  stream: ClientDuplexStream<Buffer, WireControlMessage>,
  leases: readonly Lease[],
  handlers: SessionHandlers,
  closeMs: number,
): ExecutorSession {
  let state: 'open' | 'closing' | 'closed' = 'open';
  let failure: AppError | null = null;
  let sequence = 0;
  let timer: NodeJS.Timeout | undefined;

  function send(event: ExecutorEvent): void {
    if (state === 'open') stream.write(RPCS.Session.requestSerialize(fromExecutorEvent(event)));
  }

  stream.on('data', (wire: WireControlMessage) => {
    if (state === 'closed' || failure !== null) return;
    try {
      const event = toControlEvent(wire);
      if (event !== null) tell(handlers, event);
    } catch (cause) {
      failure = new AppError('INTERNAL_ERROR', 'The control plane sent an unknown message', { cause });
      stream.cancel();
    }
  });
  onStreamEnd(stream, (error) => {
    clearTimeout(timer);
    const closing = state === 'closing';
    state = 'closed';
    handlers.onClosed(failure ?? (closing ? null : error));
  });
  send({ type: 'attach', leases });

  return {
    credits: (count) => send({ type: 'credits', count }),
    acknowledge: (lease) => send({ type: 'assignment_ack', lease }),
    heartbeat(held) {
      sequence += 1;
      send({ type: 'heartbeat', sequence, leases: held });
    },
    progress: (progress) => send({ type: 'progress', progress }),
    complete: (completion) => send({ type: 'completion', completion }),
    drain: () => send({ type: 'drain' }),
    close() {
      if (state !== 'open') return;
      state = 'closing';
      timer = setTimeout(() => stream.cancel(), closeMs);
      stream.end();
    },
  };
}
