import { Metadata, type ServiceError, status as Status, type StatusObject } from '@grpc/grpc-js';
import { AppError, ERROR_CODES, type ErrorCode } from '../base/errors.ts';
import { decodeStatusDetails, encodeStatusDetails } from './wire/status-details.ts';

/** Every error code's gRPC status. Codes that share a status are told apart by `ErrorInfo.reason`. */
export const GRPC_STATUS: Readonly<Record<ErrorCode, Status>> = Object.freeze({
  VALIDATION_ERROR: Status.INVALID_ARGUMENT,
  AUTH_ERROR: Status.UNAUTHENTICATED,
  FORBIDDEN: Status.PERMISSION_DENIED,
  NOT_FOUND: Status.NOT_FOUND,
  CONFLICT: Status.ABORTED,
  PRECONDITION_FAILED: Status.FAILED_PRECONDITION,
  PAYLOAD_TOO_LARGE: Status.OUT_OF_RANGE,
  UNSUPPORTED_MEDIA_TYPE: Status.UNIMPLEMENTED,
  UNPROCESSABLE: Status.INVALID_ARGUMENT,
  RATE_LIMITED: Status.RESOURCE_EXHAUSTED,
  INTERNAL_ERROR: Status.INTERNAL,
  CONNECTOR_ERROR: Status.UNKNOWN,
  NOT_READY: Status.UNAVAILABLE,
});

const DETAILS_KEY = 'grpc-status-details-bin';
/** Trailers share the peer's header limit; the whole text of an error stays well below it. */
const messageCharsMax = 2_000;
const problemsMax = 20;
/** RESOURCE_EXHAUSTED always says when to come back. */
const retryAfterSecondsDefault = 1;
const unreachable = 'The control plane cannot be reached; try again';

/** What a bare status means: one that the transport made, not this service. */
const BARE: Readonly<Partial<Record<Status, readonly [ErrorCode, string]>>> = {
  [Status.CANCELLED]: ['NOT_READY', 'The call was cancelled'],
  [Status.DEADLINE_EXCEEDED]: ['NOT_READY', 'The control plane did not answer in time; try again'],
  [Status.INVALID_ARGUMENT]: ['VALIDATION_ERROR', 'The control plane refused the message as malformed'],
  [Status.UNAUTHENTICATED]: ['AUTH_ERROR', 'The control plane refused the executor key or session token'],
  [Status.PERMISSION_DENIED]: ['FORBIDDEN', 'The control plane refused the call'],
  [Status.UNIMPLEMENTED]: ['PRECONDITION_FAILED', 'The control plane does not know this call; upgrade it'],
};

/** What the transport's text means to people. It is not shown itself: it may name hosts. */
const CONNECTION_FAILURES: readonly (readonly [RegExp, string])[] = [
  [
    /wrong version number|packet length too long/,
    'The control plane answers without TLS; leave "--ca" out, or give the control plane a certificate',
  ],
  [
    /certificate|self.signed|unable to verify/i,
    'The TLS certificates do not fit: "--ca" must have signed the control plane\'s, and that may ask for one ("--cert")',
  ],
  [
    /Last error: Failed to connect/,
    'The control plane closed the connection at once; where it speaks TLS, give "--ca"; try again',
  ],
];

/** grpc-js says both of the wire and of an inflated message that it is "larger than". */
const tooLargePattern = /larger than/;

function cut(text: string): string {
  return text.slice(0, messageCharsMax).toWellFormed();
}

/** The error as grpc-js sends it: status, message and `google.rpc.Status` details in the trailers. */
export function toServiceError(error: AppError): ServiceError {
  const code = GRPC_STATUS[error.code];
  const details = cut(error.message);
  const problems = (error.details ?? []).slice(0, problemsMax).map(({ path, message }) => ({
    path: cut(path).slice(0, 100),
    message: cut(message).slice(0, 200),
  }));
  const retryAfterSeconds =
    error.retryAfterSeconds ?? (error.code === 'RATE_LIMITED' ? retryAfterSecondsDefault : undefined);
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, encodeStatusDetails(code, details, error.code, retryAfterSeconds, problems));
  return Object.assign(new Error(details, { cause: error }), { code, details, metadata });
}

function isErrorCode(reason: string): reason is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(reason);
}

/**
 * The error that the other end meant. A status without this service's details was made by the transport; its text may name
 * hosts, so it is kept as the cause alone.
 */
export function fromServiceError(error: ServiceError | StatusObject): AppError {
  const [bytes] = error.metadata?.get(DETAILS_KEY) ?? [];
  const details = bytes instanceof Uint8Array ? decodeStatusDetails(bytes) : null;
  if (details !== null && isErrorCode(details.reason)) {
    return new AppError(details.reason, error.details, {
      cause: error,
      ...(details.problems.length > 0 ? { details: details.problems } : {}),
      ...(details.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: details.retryAfterSeconds }),
    });
  }
  if (error.code === Status.RESOURCE_EXHAUSTED) {
    return tooLargePattern.test(error.details)
      ? new AppError('PAYLOAD_TOO_LARGE', 'The message is larger than the control plane accepts', {
          cause: error,
        })
      : new AppError('RATE_LIMITED', 'The control plane is at a limit; try again later', {
          cause: error,
        });
  }
  if (error.code === Status.UNAVAILABLE) {
    const known = CONNECTION_FAILURES.find(([pattern]) => pattern.test(error.details));
    return new AppError('NOT_READY', known?.[1] ?? unreachable, { cause: error });
  }
  const [code, message] = BARE[error.code] ?? ['INTERNAL_ERROR', 'The control plane failed; see its log'];
  return new AppError(code, message, { cause: error });
}
