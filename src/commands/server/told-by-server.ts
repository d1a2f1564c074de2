import type { ApiError } from '../../client/api-error.ts';
import { problemLines } from '../kit/text/problem-lines.ts';

/** What the server said, with every problem on a line of its own. */
export function toldByServer({ message, details, requestId, status }: ApiError): string {
  // A fault of the server is found in its log by the request alone.
  const request = status >= 500 && requestId !== null ? ` (request ${requestId})` : '';
  const key = status === 401 ? '. Set the key with --token, SVC_TOKEN or headgate login' : '';
  return problemLines(`${message}${key}${request}`, details);
}
