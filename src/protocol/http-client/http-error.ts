import { AppError, ERROR_CODES, type ErrorCode, type Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

/** The control plane gave no answer at all: nothing is known of the request, and the session with it is over. */
export class UnreachableError extends AppError {
  constructor(message: string, cause: unknown) {
    super('NOT_READY', message, { cause });
  }
}

/** What a status means that no control plane has given, but something on the way. */
const BARE: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['AUTH_ERROR', 'The control plane refused the executor key or session token'],
  403: ['FORBIDDEN', 'The control plane refused the call'],
  404: ['PRECONDITION_FAILED', 'No control plane at this address, or it does not support this call'],
  408: ['NOT_READY', 'The request did not arrive in time; try again'],
  413: [
    'PAYLOAD_TOO_LARGE',
    'The message is larger than the control plane, or a proxy in front of it, accepts',
  ],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The control plane does not accept this kind of body'],
  429: ['RATE_LIMITED', 'The control plane is at a limit; try again later'],
};

function bare(status: number): readonly [ErrorCode, string] {
  const known = BARE[status];
  if (known !== undefined) return known;
  if (status >= 502) return ['NOT_READY', 'The control plane cannot be reached; try again'];
  if (status >= 500) return ['INTERNAL_ERROR', 'The control plane failed; see its log'];
  if (status >= 400) return ['VALIDATION_ERROR', 'The control plane refused the message as malformed'];
  return ['PRECONDITION_FAILED', 'The address answers with a redirect; use the address it redirects to'];
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isErrorCode(code: unknown): code is ErrorCode {
  return (ERROR_CODES as readonly unknown[]).includes(code);
}

function problemsIn(details: unknown): readonly Problem[] {
  if (!Array.isArray(details)) return [];
  return details.filter(
    (problem): problem is Problem =>
      isRecord(problem) && typeof problem['path'] === 'string' && typeof problem['message'] === 'string',
  );
}

/** The error that the other end meant by this answer. */
export function errorOfAnswer(status: number, text: string, retryAfter: unknown): AppError {
  const { error, message, details } = parsed(text);
  const seconds = Number(retryAfter);
  const delay =
    typeof retryAfter === 'string' && Number.isFinite(seconds) && seconds >= 0
      ? { retryAfterSeconds: seconds }
      : {};
  if (!isErrorCode(error) || typeof message !== 'string') {
    const [code, meaning] = bare(status);
    return new AppError(code, meaning, delay);
  }
  const problems = problemsIn(details);
  return new AppError(error, message, { ...(problems.length > 0 ? { details: problems } : {}), ...delay });
}
