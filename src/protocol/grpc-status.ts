import { Metadata, type ServiceError, status as Status, type StatusObject } from '@grpc/grpc-js';
import protobuf from 'protobufjs/light.js';
import { AppError, ERROR_CODES, type ErrorCode, type Problem } from '../base/errors.ts';

/** Every error code's gRPC status. `ErrorInfo.reason` distinguishes codes that share a status. */
export const GRPC_STATUS: Readonly<Record<ErrorCode, Status>> = Object.freeze({
  VALIDATION_ERROR: Status.INVALID_ARGUMENT,
  AUTH_ERROR: Status.UNAUTHENTICATED,
  FORBIDDEN: Status.PERMISSION_DENIED,
  NOT_FOUND: Status.NOT_FOUND,
  METHOD_NOT_ALLOWED: Status.UNIMPLEMENTED,
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
  [Status.UNIMPLEMENTED]: ['PRECONDITION_FAILED', 'The control plane does not support this call; upgrade it'],
};

/** What the transport's text means to people. It is not shown itself: it may name hosts. */
const CONNECTION_FAILURES: readonly (readonly [RegExp, string])[] = [
  [
    /wrong version number|packet length too long/,
    'The control plane answers without TLS; leave "--ca" out, or give the control plane a certificate',
  ],
  [
    /certificate|self.signed|unable to verify/i,
    'TLS verification failed: "--ca" must have signed the control plane\'s certificate; it may also require a client certificate ("--cert")',
  ],
  [
    /Last error: Failed to connect/,
    'The control plane closed the connection immediately; if it uses TLS, pass "--ca"; try again',
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

/** What `grpc-status-details-bin` says beyond the status. */
interface StatusDetails {
  readonly reason: string;
  readonly retryAfterSeconds: number | undefined;
  readonly problems: readonly Problem[];
}

const ERROR_DOMAIN = 'headgate';
const TYPE_URL = 'type.googleapis.com/google.rpc.';

/** google/rpc/status.proto and error_details.proto, the parts used here. */
const root = protobuf.Root.fromJSON({
  nested: {
    Any: { fields: { type_url: { type: 'string', id: 1 }, value: { type: 'bytes', id: 2 } } },
    Status: {
      fields: {
        code: { type: 'int32', id: 1 },
        message: { type: 'string', id: 2 },
        details: { rule: 'repeated', type: 'Any', id: 3 },
      },
    },
    ErrorInfo: { fields: { reason: { type: 'string', id: 1 }, domain: { type: 'string', id: 2 } } },
    Duration: { fields: { seconds: { type: 'int64', id: 1 }, nanos: { type: 'int32', id: 2 } } },
    RetryInfo: { fields: { retry_delay: { type: 'Duration', id: 1 } } },
    FieldViolation: { fields: { field: { type: 'string', id: 1 }, description: { type: 'string', id: 2 } } },
    BadRequest: { fields: { field_violations: { rule: 'repeated', type: 'FieldViolation', id: 1 } } },
  },
});

type DetailName = 'ErrorInfo' | 'RetryInfo' | 'BadRequest';

function pack(name: DetailName, value: object): object {
  return { type_url: `${TYPE_URL}${name}`, value: root.lookupType(name).encode(value).finish() };
}

function unpack(name: string, bytes: Uint8Array): Record<string, unknown> {
  const type = root.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: Number, defaults: true, arrays: true });
}

/** A `google.rpc.Status` with ErrorInfo, RetryInfo where a delay is known, and BadRequest where there are problems. */
function encodeStatusDetails(
  status: number,
  message: string,
  reason: ErrorCode,
  retryAfterSeconds: number | undefined,
  problems: readonly Problem[],
): Buffer {
  const details = [pack('ErrorInfo', { reason, domain: ERROR_DOMAIN })];
  if (retryAfterSeconds !== undefined) {
    const seconds = Math.floor(retryAfterSeconds);
    const nanos = Math.round((retryAfterSeconds - seconds) * 1e9);
    details.push(pack('RetryInfo', { retry_delay: { seconds, nanos } }));
  }
  if (problems.length > 0) {
    const field_violations = problems.map(({ path, message: description }) => ({ field: path, description }));
    details.push(pack('BadRequest', { field_violations }));
  }
  return Buffer.from(root.lookupType('Status').encode({ code: status, message, details }).finish());
}

/** `null` where the bytes are no status of this service. */
function decodeStatusDetails(bytes: Uint8Array): StatusDetails | null {
  let reason: string | null = null;
  let retryAfterSeconds: number | undefined;
  let problems: readonly Problem[] = [];
  try {
    const details = unpack('Status', bytes)['details'] as { type_url: string; value: Uint8Array }[];
    for (const { type_url, value } of details) {
      if (type_url === `${TYPE_URL}ErrorInfo`) {
        const info = unpack('ErrorInfo', value);
        if (info['domain'] === ERROR_DOMAIN) reason = String(info['reason']);
      } else if (type_url === `${TYPE_URL}RetryInfo`) {
        const delay = unpack('RetryInfo', value)['retry_delay'] as { seconds: number; nanos: number } | null;
        if (delay !== null) retryAfterSeconds = delay.seconds + delay.nanos / 1e9;
      } else if (type_url === `${TYPE_URL}BadRequest`) {
        const violations = unpack('BadRequest', value)['field_violations'];
        problems = (violations as { field: string; description: string }[]).map(({ field, description }) => ({
          path: field,
          message: description,
        }));
      }
    }
  } catch {
    return null;
  }
  return reason === null ? null : { reason, retryAfterSeconds, problems };
}
