import type { ApiError } from '../../client/api-error.ts';

/** What the server said, with every problem on a line of its own. */
export function toldByServer({ message, details, requestId, status }: ApiError): string {
  const problems = details.map((problem) => {
    const line = problem.line === undefined ? '' : `line ${problem.line}`;
    const place = [problem.path, line].filter(Boolean).join(', ');
    return `\n  ${place === '' ? '' : `${place}: `}${problem.message}`;
  });
  // A fault of the server is found in its log by the request alone.
  const request = status >= 500 && requestId !== null ? ` (request ${requestId})` : '';
  return `${message}${request}${problems.join('')}`;
}
