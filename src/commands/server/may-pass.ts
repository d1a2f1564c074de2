import { ApiError } from '../../client/api-error.ts';

/** Whether a question to a server is worth asking again: it could not be reached, or has failed itself. */
export function mayPass(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
