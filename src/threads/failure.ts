import { AppError, type ErrorCode, type Problem } from '../base/errors.ts';

/** An `AppError` that crosses a thread or a process; `cause` stays behind. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: readonly Problem[];
  readonly retryAfterSeconds?: number;
  /** For the control plane's log alone. */
  readonly logged?: string;
}

export function failureOf(error: AppError): Failure {
  return {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  };
}

export function errorOf(failure: Failure): AppError {
  const { code, message, logged, ...options } = failure;
  return new AppError(code, message, logged === undefined ? options : { ...options, cause: logged });
}

export function timedOut(timeoutMs: number): Failure {
  const seconds = timeoutMs >= 1_000 ? `${Math.round(timeoutMs / 100) / 10} s` : `${timeoutMs} ms`;
  return {
    code: 'UNPROCESSABLE',
    message: `The expression or query took longer than ${seconds} and was stopped`,
  };
}

export function tooMuchMemory(heapMbMax: number): Failure {
  return {
    code: 'UNPROCESSABLE',
    message: `The expression or query needed more than ${heapMbMax} MB of memory and was stopped`,
  };
}

/** For a call that ended its thread or the host, alone, in a way that names no limit. */
export function brokeItsProcess(): Failure {
  return {
    code: 'UNPROCESSABLE',
    message:
      'The expression or query ended the process that ran it (most likely it ran out of memory) and was stopped',
  };
}

/** For a call with effects whose thread or host was lost. */
export function effectUnknown(): Failure {
  return {
    code: 'UNPROCESSABLE',
    message:
      'The process that made this call ended before its answer: look at the other side whether it took effect before you try again',
  };
}

/** For a call that no thread could begin: the code that runs it does not load, as where its files are gone. */
export function notLoaded(error: unknown): Failure {
  return {
    code: 'INTERNAL_ERROR',
    message: 'The call could not be started inside the worker',
    logged: loggedOf(error),
  };
}

/** What the log says of an error that nobody expected. */
export function loggedOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** For what the engine refuses: a stack, a string or an array beyond its bounds. */
export function beyondTheEngine(): Failure {
  return {
    code: 'UNPROCESSABLE',
    message: 'The expression or query nests too deeply, or builds a value that is too long, and was stopped',
  };
}

export function tooLarge(outputCharsMax: number): Failure {
  return {
    code: 'UNPROCESSABLE',
    message: `The result is larger than ${Math.round(outputCharsMax / 1e5) / 10} million characters: add a LIMIT, select fewer columns, or aggregate`,
  };
}
