const statuses = {
  VALIDATION_ERROR: 400,
  AUTH_ERROR: 401,
  NOT_FOUND: 404,
  PRECONDITION_FAILED: 412,
  RATE_LIMITED: 429,
  CONNECTOR_ERROR: 502,
  NOT_READY: 503,
};

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A refusal as the API documents it. */
export function refusal(error: keyof typeof statuses, message: string, details?: readonly object[]): Answer {
  return {
    status: statuses[error],
    body: { error, message, ...(details && { details }), request_id: 'test' },
  };
}
