import type { ClientDuplexStream } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import type { ExecutorSession, Lease, SessionHandlers } from '../control-plane.ts';
import { type ControlEvent, toControlEvent, type WireControlMessage } from '../wire/control-event.ts';
import { RPCS } from '../wire/definition/service-definition.ts';
import { type ExecutorEvent, fromExecutorEvent } from '../wire/executor-event.ts';
import { onStreamEnd } from './stream-end.ts';

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
export function startSession(
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
