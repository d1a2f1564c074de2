import protobuf from 'protobufjs/light.js';
import type { ErrorCode, Problem } from '../../base/errors.ts';

/** What `grpc-status-details-bin` says beyond the status. */
export interface StatusDetails {
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
export function encodeStatusDetails(
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
export function decodeStatusDetails(bytes: Uint8Array): StatusDetails | null {
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
