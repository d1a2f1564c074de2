import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import { toServiceError } from '../grpc-status.ts';
import type { ProveKey } from '../key-proof.ts';
import { keyOf } from './authenticator.ts';

/**
 * Refuses a call without a valid executor key before a byte of its messages is read, so that a stranger cannot make the server
 * hold or inflate anything. `isOpen` names the paths that anybody may call.
 */
export function createKeyInterceptor(
  proveKey: ProveKey,
  isOpen: (path: string) => boolean,
): ServerInterceptor {
  return (method, call) => {
    if (isOpen(method.path)) return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, pass) {
            try {
              keyOf(metadata, proveKey);
            } catch (error) {
              if (!(error instanceof AppError)) throw error;
              call.sendStatus(toServiceError(error));
              return;
            }
            pass(metadata);
          },
        }),
    });
  };
}
