/** One thing that was wrong with what was sent; `line` and `column` count from 1, where it was text. */
export interface ApiProblem {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ApiErrorBody {
  /** The server's code, such as `NOT_FOUND`; `UNREACHABLE` where no answer came, `UNKNOWN` where it was none of Headgate's. */
  readonly error: string;
  readonly message: string;
  readonly details: readonly ApiProblem[];
  readonly request_id: string | null;
}

/** An answer of the API that is no success, or none at all (`status` 0). */
export class ApiError extends Error {
  /** Of HTTP; 0 where the server was not reached. */
  readonly status: number;
  readonly code: string;
  readonly details: readonly ApiProblem[];
  /** Names the request in the server's log. */
  readonly requestId: string | null;

  constructor(status: number, body: ApiErrorBody, options?: ErrorOptions) {
    super(body.message, options);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.error;
    this.details = body.details;
    this.requestId = body.request_id;
  }
}
