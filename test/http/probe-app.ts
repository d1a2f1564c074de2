import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import { AppError, ERROR_CODES } from '../../src/base/errors.ts';
import { anybody } from '../../src/http/access.ts';
import { idParams, operation } from '../../src/http/operation.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

/** The default of `SVC_HTTP_BODY_LIMIT`. */
const BODY_LIMIT = 4 * 1_048_576;
const answer = z.object({ echo: z.unknown() });

/** Routes that echo, fail and leak, on the real HTTP server. */
export async function createProbeApp(t: Parameters<typeof createTestApp>[0]): Promise<TestApp> {
  return createTestApp(t, (app) => {
    const body = z.strictObject({
      name: z.string(),
      inner: z.strictObject({ count: z.number() }).optional(),
      data: z.unknown().optional(),
    });
    const answers = { 200: answer };
    const echo = operation({ id: 'echo', tag: 'T', summary: 's', access: anybody, body, answers });
    // As large as where a credential has been shown.
    app.post('/echo', { ...echo, bodyLimit: BODY_LIMIT }, async (request) => ({ echo: request.body }));
    app.get(
      '/items/:id',
      operation({
        id: 'item',
        tag: 'T',
        summary: 's',
        access: anybody,
        params: idParams,
        query: z.strictObject({ q: z.string().optional() }),
        answers,
      }),
      async (request) => ({ echo: request.params.id }),
    );
    app.delete(
      '/items/new',
      operation({ id: 'itemNew', tag: 'T', summary: 's', access: anybody, answers }),
      async () => ({ echo: 'new' }),
    );
    app.get(
      '/fail/:code',
      operation({
        id: 'fail',
        tag: 'T',
        summary: 's',
        access: anybody,
        params: z.strictObject({ code: z.enum(ERROR_CODES) }),
        answers,
        errors: ERROR_CODES,
      }),
      async (request) => {
        throw new AppError(request.params.code, 'as asked', {
          retryAfterSeconds: 1.2,
          cause: new Error('select secret from /home/x'),
        });
      },
    );
    app.get(
      '/throw',
      operation({ id: 'throwing', tag: 'T', summary: 's', access: anybody, answers }),
      async () => {
        throw new Error('relation "users" at /home/x/secret.ts, postgres://u:p@host/db');
      },
    );
    app.get(
      '/leak',
      operation({
        id: 'leak',
        tag: 'T',
        summary: 's',
        access: anybody,
        answers: { 200: z.object({ id: z.number() }) },
      }),
      async () => ({ id: 1, password_hash: 'x' }),
    );
    app.get(
      '/broken',
      operation({
        id: 'broken',
        tag: 'T',
        summary: 's',
        access: anybody,
        answers: { 200: z.object({ id: z.number() }) },
      }),
      async () => ({ id: 'secret text' }) as unknown as { id: number },
    );
  });
}

export async function send(app: TestApp, options: InjectOptions) {
  const answer = await app.app.inject(options);
  return {
    status: answer.statusCode,
    text: answer.body,
    headers: answer.headers,
    body: JSON.parse(answer.body) as Record<string, unknown>,
  };
}
export const post = (
  app: TestApp,
  payload: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => send(app, { method: 'POST', url: '/echo', payload, headers });
