import type { FastifyContextConfig } from 'fastify';
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../base/errors.ts';
import type { Access } from './access.ts';
import { HTTP_STATUS } from './error-map.ts';
import type { AnswerHeaderName } from './openapi/answer-headers.ts';

/** An answer in other media types than JSON, or in JSON and others. */
export interface MediaAnswer {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

/** A schema alone is JSON's. */
export type Answer = z.ZodType | MediaAnswer;

/** What a success holds, by media type. */
export function mediaAnswer(description: string, types: Readonly<Record<string, z.ZodType>>): MediaAnswer {
  const content = Object.entries(types).map(([type, schema]) => [type, { schema }]);
  return { description, content: Object.fromEntries(content) };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers of a success, for the OpenAPI document. */
    sends?: readonly AnswerHeaderName[];
    /** Every status of the route's answers, for the OpenAPI document. */
    statuses?: readonly number[];
  }
}

export interface OperationSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  /** Unique, camelCase: `listTasks`. */
  readonly id: string;
  /** The contract's group. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Documented; checked where they are read. */
  readonly headers?: z.ZodType | undefined;
  /** Answers by status; an error status needs only its code in `errors`. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Headers of a success besides those of every answer. */
  readonly sends?: readonly AnswerHeaderName[];
  readonly errors?: readonly ErrorCode[];
  readonly connectorErrorStatus?: number;
  /** Honours `Idempotency-Key`; `secret` where the answer holds a secret that is shown once. */
  readonly idempotent?: boolean | 'secret';
  /** `false`: outside the rate limit per address. */
  readonly rateLimit?: false;
}

/** Carries the schemas' types to the handler: `request.params`, `request.query` and `request.body` are typed. */
export interface Operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly schema: { params: P; querystring: Q; body: B };
  readonly config: FastifyContextConfig;
}

export const problemSchema = z.object({
  path: z.string(),
  message: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
});

export const errorSchema = z
  .object({
    error: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.array(problemSchema).optional(),
    request_id: z.string(),
  })
  .meta({
    id: 'Error',
    examples: [{ error: 'NOT_FOUND', message: 'There is no task "7"', request_id: 'req-1' }],
  });

const SECURITY: Readonly<Record<Access['kind'], Record<string, string[]>[]>> = {
  none: [],
  share: [],
  pending: [],
  account: [{ CookieAuth: [] }],
  self: [{ BearerAuth: [] }, { CookieAuth: [] }],
  member: [{ BearerAuth: [] }, { CookieAuth: [] }],
  local: [{ BearerAuth: [] }, { CookieAuth: [] }, {}],
  executor: [{ ExecutorKeyAuth: [] }],
};

/**
 * The options of a route for fastify and the OpenAPI document, from one description; errors that any route can return are
 * added.
 */
export function operation<
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
>(spec: OperationSpec<P, Q, B>): Operation<P, Q, B> {
  const answers = new Map<number, Answer>();
  for (const [status, answer] of Object.entries(spec.answers)) answers.set(Number(status), answer);
  for (const code of errorsOf(spec)) {
    const status =
      code === 'CONNECTOR_ERROR' && spec.connectorErrorStatus ? spec.connectorErrorStatus : HTTP_STATUS[code];
    if (!answers.has(status)) answers.set(status, errorSchema);
  }
  const needs = needsOf(spec.access);
  const schema: Record<string, unknown> = {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    description:
      spec.description === undefined ? needs : `${spec.description.replace(/[^.!?]$/, '$&.')} ${needs}`,
    security: SECURITY[spec.access.kind],
    response: byClass(answers),
  };
  if (spec.params !== undefined) schema['params'] = spec.params;
  if (spec.query !== undefined) schema['querystring'] = spec.query;
  if (spec.body !== undefined) schema['body'] = spec.body;
  if (spec.headers !== undefined) schema['headers'] = spec.headers;
  const config: FastifyContextConfig = { access: spec.access, statuses: [...answers.keys()] };
  if (spec.rateLimit === false) config.rateLimit = false;
  if (spec.sends !== undefined) config.sends = spec.sends;
  if (spec.connectorErrorStatus !== undefined) config.connectorErrorStatus = spec.connectorErrorStatus;
  if (spec.idempotent) config.idempotency = spec.idempotent === 'secret' ? 'secret' : 'replay';
  return { schema: schema as unknown as Operation<P, Q, B>['schema'], config };
}

/**
 * Answers by `2xx`, `4xx`, …, and by status where those of a class differ: an object whose keys are statuses is an array of 500 places to
 * V8, and fastify makes a second one of each.
 */
function byClass(answers: ReadonlyMap<number, Answer>): Record<string, Answer> {
  const found: Record<string, Answer> = {};
  for (const [status, answer] of answers) {
    const isOnly = [...answers].every(
      ([other, others]) => hundredsOf(other) !== hundredsOf(status) || others === answer,
    );
    found[isOnly ? classOf(status) : status] = answer;
  }
  return found;
}

function classOf(status: number): string {
  return `${hundredsOf(status)}xx`;
}

function hundredsOf(status: number): number {
  return Math.trunc(status / 100);
}

/** The answers of a route (`schema.response`) by each of its `statuses`. */
export function byStatus(
  response: Readonly<Record<string, Answer>>,
  statuses: readonly number[],
): Record<number, Answer> {
  return Object.fromEntries(
    statuses.map((status) => [status, response[status] ?? response[classOf(status)]]),
  ) as Record<number, Answer>;
}

/** The access of a route, in a sentence. */
function needsOf(access: Access): string {
  switch (access.kind) {
    case 'none':
      return 'Needs no credentials.';
    case 'pending':
      return 'Needs the cookie that `POST /api/auth/login` sets.';
    case 'account':
      return 'For signed-in users, on their own account; not with API keys.';
    case 'self':
      return 'For signed-in users and API keys of any scope.';
    case 'member':
      return `Needs the role \`${access.role}\`; an API key also needs the scope \`${access.scope}\`.`;
    case 'local':
      return `Needs the role \`${access.role}\`; an API key also needs the scope \`${access.scope}\`. Requests from this machine to \`localhost\` need no credentials.`;
    case 'executor':
      return 'Needs the executor key.';
    case 'share':
      return 'Needs the token of a share link and, if that has a password, the cookie set by `unlock`.';
    default:
      return access satisfies never;
  }
}

type AnySpec = OperationSpec<z.ZodType, z.ZodType, z.ZodType>;

function errorsOf(spec: AnySpec): Set<ErrorCode> {
  // VALIDATION_ERROR everywhere: characters that cannot be stored are refused in any query. The two of bodies too: even an
  // unused body is refused by its length and type before it is ignored. NOT_READY: the state store may be unavailable.
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    'INTERNAL_ERROR',
    'NOT_READY',
    'RATE_LIMITED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    ...(spec.errors ?? []),
  ]);
  if (spec.idempotent) {
    codes.add('CONFLICT');
    codes.add('UNPROCESSABLE');
  }
  if (spec.params) codes.add('NOT_FOUND');
  if (spec.access.kind !== 'none' && spec.access.kind !== 'share') {
    codes.add('AUTH_ERROR');
    codes.add('FORBIDDEN');
  }
  return codes;
}

/** `{id}` of a record: decimal digits and nothing else. */
export const idParams = z.strictObject({
  id: z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
    z.int().positive(),
  ),
});

/** An answer without a body. */
export const noContent = z.null().describe('Done; no body');
