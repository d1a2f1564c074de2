import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { IdempotencyStore } from '../base/idempotency.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { HTTP_STATUS } from './error-map.ts';

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Stored in place of an answer with a secret, which is never stored. */
const NOT_KEPT = '';
/** Refusals after which a request with the same key may succeed. */
const FORGOTTEN: ReadonlySet<number> = new Set([HTTP_STATUS.VALIDATION_ERROR, HTTP_STATUS.RATE_LIMITED]);

/**
 * `replay`: the answer is stored and replayed. `secret`: the answer holds a secret that is shown once, so it is not stored;
 * repeating the request is a `CONFLICT` instead of a second effect.
 */
export type Idempotency = 'replay' | 'secret';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Honours `Idempotency-Key`: set on every POST that creates or starts. */
    idempotency?: Idempotency;
  }
  interface FastifyRequest {
    idempotency: { readonly principal: string; readonly key: string } | null;
  }
}

/**
 * Same key and same body replay the stored answer with `Idempotent-Replayed: true`; another body is `UNPROCESSABLE`; a first
 * request still in flight is `CONFLICT`. Answers below 500 are kept 24 h, except `RATE_LIMITED`, after which the client sends the
 * same request again, and `VALIDATION_ERROR`, after which it sends a corrected one: nothing was done. Keys belong to their sender. Source: draft-ietf-httpapi-idempotency-key-header.
 */
export function installIdempotency(app: FastifyInstance, store: IdempotencyStore): void {
  app.decorateRequest('idempotency', null);
  app.addHook('preHandler', (request, reply, done) => {
    const key = request.headers['idempotency-key'];
    if (request.routeOptions.config.idempotency === undefined || key === undefined) done();
    // A replayed answer has been sent by then: the following hooks are skipped.
    else begin(request, reply, key, store).then(() => done(), done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const held = request.idempotency;
    if (held === null) {
      done(null, payload);
      return;
    }
    request.idempotency = null;
    settle(held, request, reply, payload, store).then(() => done(null, payload), done);
  });
}

async function settle(
  held: NonNullable<FastifyRequest['idempotency']>,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  store: IdempotencyStore,
): Promise<void> {
  if (reply.statusCode >= 500 || FORGOTTEN.has(reply.statusCode) || typeof payload !== 'string') {
    await store.forget(held.principal, held.key);
    return;
  }
  const secret = request.routeOptions.config.idempotency === 'secret' && reply.statusCode < 300;
  await store.finish(held.principal, held.key, reply.statusCode, secret ? NOT_KEPT : payload);
}

async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string | string[],
  store: IdempotencyStore,
): Promise<void> {
  if (typeof key !== 'string' || key.length === 0 || key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    throw new AppError(
      'VALIDATION_ERROR',
      `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`,
    );
  }
  const who = request.principal;
  const principal = who === null ? 'none' : `${who.type}:${'id' in who ? who.id : who.name}`;
  const hash = sha256(`${request.method} ${request.url}\n${canonicalJson(request.body ?? null)}`);
  const answer = await store.begin(principal, key, hash);
  if (answer.state === 'mine') {
    request.idempotency = { principal, key };
  } else if (answer.state === 'in_flight') {
    throw new AppError('CONFLICT', `The first request with the Idempotency-Key "${key}" is still running`);
  } else if (answer.state === 'other_request') {
    throw new AppError('UNPROCESSABLE', `The Idempotency-Key "${key}" was used with another request`);
  } else if (answer.body === NOT_KEPT) {
    throw new AppError(
      'CONFLICT',
      `The request with the Idempotency-Key "${key}" was carried out; its response contained a secret and was not stored`,
    );
  } else {
    reply.header('idempotent-replayed', 'true').code(answer.status);
    reply.serializer((payload: unknown) => String(payload));
    await reply.type('application/json; charset=utf-8').send(answer.body);
  }
}
