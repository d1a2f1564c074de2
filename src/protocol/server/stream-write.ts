import type { ServerDuplexStream } from '@grpc/grpc-js';

type Call = ServerDuplexStream<Buffer, object>;

export function isOpen(call: Call): boolean {
  return !call.cancelled && !call.destroyed && !call.writableEnded;
}

/** Resolves when the peer has taken what was written, or the call is over. */
export function drained(call: Call): Promise<void> {
  if (!call.writableNeedDrain || !isOpen(call)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      call.off('drain', done);
      call.off('cancelled', done);
      call.off('close', done);
      resolve();
    };
    call.on('drain', done);
    call.on('cancelled', done);
    call.on('close', done);
  });
}
