/**
 * The one table of error codes. HTTP status and gRPC status are mapped from it in one place each
 * (`http/error-map.ts`, `protocol/grpc-status.ts`); a test compares the three and the OpenAPI document.
 */
export const ERROR_CODES = [
  'VALIDATION_ERROR',
  'AUTH_ERROR',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'CONNECTOR_ERROR',
  'NOT_READY',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One thing that is wrong with an input. `line` and `column` count from 1 and are set where the input is text. */
export interface Problem {
  /** Where: a JSON-like path such as `steps[2].on_error.action`, `` for the whole document. */
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface AppErrorOptions {
  readonly details?: readonly Problem[];
  readonly cause?: unknown;
  /** Seconds after which the same call may succeed; becomes `Retry-After` and gRPC `RetryInfo`. */
  readonly retryAfterSeconds?: number;
}

/**
 * The only error that callers see. `message` is for them: it names, in quotes, what was passed and says
 * what to do; it never holds SQL, secrets, hosts or paths. `cause` is for the log alone.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Problem[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Wraps problems as one `VALIDATION_ERROR`, whose message says the first of them. */
export function validationError(problems: readonly Problem[]): AppError {
  const message = problems.length === 0 ? 'Invalid input' : joinProblems(problems.map((one) => one.message));
  return new AppError('VALIDATION_ERROR', message, { details: problems });
}

const PROBLEMS_SAID_MAX = 3;

/** What the first problems say, each once, and how many more there are: for whoever reads the message alone. */
export function joinProblems(messages: readonly string[]): string {
  const said = [...new Set(messages)].slice(0, PROBLEMS_SAID_MAX);
  const more = messages.filter((message) => !said.includes(message)).length;
  return `${said.join('; ')}${more > 0 ? ` (and ${more} more in details)` : ''}`;
}

/** The `NOT_FOUND` of a record: `notFound('task', 7)`. */
export function notFound(noun: string, id: number | string): AppError {
  return new AppError('NOT_FOUND', `There is no ${noun} "${id}"`);
}

/** `row`, or its `NOT_FOUND` where there is none: `requireFound(await lockTask(…), 'task', 7)`. */
export function requireFound<Row>(row: Row | null, noun: string, id: number | string): Row {
  if (row === null) throw notFound(noun, id);
  return row;
}

/** The message of anything thrown, for logs. Node gives a connection that fails at every address of a host none of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
