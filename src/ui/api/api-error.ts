/** A problem with the request body, at a path such as `settings.email` or `mapping[2].target_field`. */
export interface ApiProblem {
  readonly path: string;
  readonly message: string;
}

/** A request that the server refused or that never reached it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds to wait before the next try, if the server said so. */
  readonly retryAfterSeconds: number | undefined;
  /** The problems with the request body; empty if the server lists none. */
  readonly details: readonly ApiProblem[];

  constructor(
    status: number,
    code: string,
    message: string,
    retryAfterSeconds?: number,
    details: readonly ApiProblem[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.details = details;
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const retryDelayMaxMs = 60_000;

/** Milliseconds before try number `failureCount + 1`: what the server asked for, otherwise 1 s, doubling up to 60 s. */
export function retryDelayMs(failureCount: number, error: Error): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return Math.min(Math.max(asked * 1000, 250), retryDelayMaxMs);
  return Math.min(1000 * 2 ** failureCount, retryDelayMaxMs);
}
