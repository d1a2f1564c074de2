import type { ErrorCode } from '../../base/errors.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../idempotency.ts';
import { ANSWER_HEADERS, type AnswerHeaderName, EVERY_ANSWER, LIMITED_ANSWER } from './answer-headers.ts';

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
  description: 'Repeating the request with the same key and body within 24 hours has no second effect',
};
const IF_MATCH = {
  type: 'string',
  pattern: '^([*]|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$',
  description:
    'ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one',
};
const IF_NONE_MATCH = {
  type: 'string',
  description: 'ETag of the client’s copy; responds 304 if unchanged',
};

/** What a route says of itself for the document. */
export interface RouteFacts {
  readonly isIdempotent: boolean;
  readonly isLimited: boolean;
  readonly sends: readonly AnswerHeaderName[];
}

/** Answers of these codes are kept under an `Idempotency-Key`. */
const KEPT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'UNPROCESSABLE',
]);

interface Documented {
  readonly paths?: Readonly<
    Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>
  >;
  components?: { headers?: unknown };
}

/** Completes the answers of a generated OpenAPI document with their headers. Errors are references by now: `errorHeaders`. */
export function completeHeaders(document: object, facts: ReadonlyMap<string, RouteFacts>): void {
  const { paths = {}, components = {} } = document as Documented;
  components.headers = ANSWER_HEADERS;
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const fact = facts.get(operation.operationId);
    if (fact === undefined) continue;
    for (const [status, answer] of Object.entries(operation.responses))
      if (!('$ref' in answer)) Object.assign(answer, { headers: refsTo(headersOf(Number(status), fact)) });
  }
}

export function errorHeaders(code: ErrorCode): object {
  return refsTo([
    ...EVERY_ANSWER,
    ...LIMITED_ANSWER,
    ...(KEPT.has(code) ? (['Idempotent-Replayed'] as const) : []),
    ...(code === 'AUTH_ERROR' ? (['WWW-Authenticate'] as const) : []),
    'Retry-After',
  ]);
}

function headersOf(status: number, { isIdempotent, isLimited, sends }: RouteFacts): AnswerHeaderName[] {
  return [
    ...EVERY_ANSWER,
    ...(isLimited ? LIMITED_ANSWER : []),
    ...(isIdempotent ? (['Idempotent-Replayed'] as const) : []),
    ...(status < 300 ? sends : sends.filter((name) => name === 'ETag')),
    ...(status === 503 ? (['Retry-After'] as const) : []),
  ];
}

function refsTo(names: readonly AnswerHeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that a request may have besides those that its route states; read by `idempotency.ts` and `etag.ts`. */
export function requestHeaders(isIdempotent: boolean, response: object): Readonly<Record<string, object>> {
  return {
    ...(isIdempotent ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
    ...(412 in response ? { 'If-Match': IF_MATCH } : {}),
    ...(304 in response ? { 'If-None-Match': IF_NONE_MATCH } : {}),
  };
}
