/** A response header of the OpenAPI document. */
export interface AnswerHeader {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Headers that the API answers with, by name. `OperationSpec.sends` names those of one operation; the others need no naming. */
export const ANSWER_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies the request in the server’s log and audit entries: the id sent, or a new one',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed per minute and client address',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests remaining in this minute',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until the minute ends',
    schema: { type: 'integer' },
  },
  'Retry-After': {
    description: 'Seconds until the same request may succeed, if it can',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': {
    description: 'The way to authenticate: a bearer token',
    schema: { type: 'string', examples: ['Bearer realm="headgate"'] },
  },
  'Idempotent-Replayed': {
    description: '`true`: the stored response to an earlier request with this `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: {
    description: 'The version of the record, for `If-Match` and `If-None-Match`',
    schema: { type: 'string', examples: ['"3"'] },
  },
  Link: {
    description: 'The next page of a list, relative to the request; none on the last page',
    schema: { type: 'string', examples: ['<?limit=50&cursor=opaque>; rel="next"'] },
  },
  'Content-Disposition': {
    description: 'Suggested file name',
    schema: { type: 'string', examples: ['attachment; filename="headgate-bundle.yaml"'] },
  },
  'Set-Cookie': {
    description: 'The session cookies, or their deletion',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, AnswerHeader>>;

export type AnswerHeaderName = keyof typeof ANSWER_HEADERS;

/** Of every answer. */
export const EVERY_ANSWER = ['X-Request-Id'] as const;
/** Of every answer of an operation within the rate limit. */
export const LIMITED_ANSWER = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
