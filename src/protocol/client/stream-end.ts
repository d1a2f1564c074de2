import { type ClientDuplexStream, status as Status, type StatusObject } from '@grpc/grpc-js';
import type { AppError } from '../../base/errors.ts';
import { fromServiceError } from '../grpc-status.ts';

/**
 * Calls `ended` once, when the call has its status and every message before it has been delivered; with `null` for OK.
 */
export function onStreamEnd<Message>(
  stream: ClientDuplexStream<Buffer, Message>,
  ended: (error: AppError | null) => void,
): void {
  let status: StatusObject | null = null;
  let delivered = false;
  let told = false;
  const tell = () => {
    if (told || status === null || !delivered) return;
    told = true;
    ended(status.code === Status.OK ? null : fromServiceError(status));
  };
  const allDelivered = () => {
    delivered = true;
    tell();
  };
  stream.on('status', (received: StatusObject) => {
    status = received;
    tell();
  });
  stream.on('end', allDelivered);
  stream.on('close', allDelivered);
  // The status says the same; without a listener the process would end.
  stream.on('error', () => undefined);
}
