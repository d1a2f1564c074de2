import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { shareToken } from '../../http/access.ts';
import { operation } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import { batchAnswer, batchBody } from '../dashboards/dashboard-routes.ts';
import type { Dashboards } from '../dashboards/dashboard-service.ts';
import { etagOf, type PublicBatch } from './public-batch.ts';

const tag = 'Public Dashboards';
/** Any text: what is not a token is an unknown one. */
const tokenParams = z.strictObject({ token: z.string() });
const ADDRESS_REQUESTS_MAX = 600;
const TOKEN_REQUESTS_MAX = 6_000;
const MINUTE_MS = 60_000;

const publicDashboard = z
  .object({
    title: z.string().nullable(),
    description: z.string().nullable(),
    navbar_ctas: z.array(z.record(z.string(), z.unknown())),
    refresh_interval_seconds: z.number().nullable(),
    allow_public_input: z.boolean(),
    pages: z.array(
      z.object({ id: z.string(), title: z.string(), widgets: z.array(z.record(z.string(), z.unknown())) }),
    ),
  })
  .meta({ id: 'PublicDashboard' });

export interface PublicDashboardRoutesDeps {
  readonly dashboards: Dashboards;
  readonly batch: PublicBatch;
}

/**
 * Read through a share token, without credentials: a positive projection, never a query, a scope or a connector. One address
 * has 600 requests a minute over all links, and one link 6,000 over all addresses.
 */
export function registerPublicDashboardRoutes(
  app: App,
  { dashboards, batch }: PublicDashboardRoutesDeps,
): void {
  const onRequest = countRequests(app);
  const get = operation({
    id: 'getPublicDashboard',
    tag,
    summary: 'A shared dashboard as strangers may see it',
    access: shareToken,
    params: tokenParams,
    answers: { 200: publicDashboard, 304: z.null() },
  });
  app.get('/api/public/dashboards/:token', { ...get, onRequest }, async (request, reply) => {
    const row = await dashboards.byShareToken(request.params.token);
    if (isUnchanged(request, reply, etagOf(row.public_json))) return reply.code(304).send();
    return JSON.parse(row.public_json) as z.infer<typeof publicDashboard>;
  });

  const data = operation({
    id: 'getPublicWidgetsData',
    tag,
    summary: 'The data of a shared dashboard’s widgets',
    access: shareToken,
    params: tokenParams,
    body: batchBody,
    answers: { 200: batchAnswer, 304: z.null() },
    errors: ['NOT_READY'],
  });
  app.post('/api/public/dashboards/:token/widgets/data', { ...data, onRequest }, async (request, reply) => {
    const row = await dashboards.byShareToken(request.params.token);
    const { text, etag } = await batch.run(row, request.body?.widget_ids);
    if (isUnchanged(request, reply, etag)) return reply.code(304).send();
    reply.serializer((payload: unknown) => String(payload));
    reply.type('application/json; charset=utf-8');
    return reply.send(text as unknown as z.infer<typeof batchAnswer>);
  });
}

/** Sets the ETag; true where the client has that very answer. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  return request.headers['if-none-match'] === etag;
}

/** Counts a request of either route, before anything is read or looked up for it. */
function countRequests(app: App): (request: FastifyRequest) => Promise<void> {
  const counters = [
    app.createRateLimit({
      max: ADDRESS_REQUESTS_MAX,
      timeWindow: MINUTE_MS,
      keyGenerator: (request) => request.ip,
    }),
    app.createRateLimit({
      max: TOKEN_REQUESTS_MAX,
      timeWindow: MINUTE_MS,
      keyGenerator: (request) => (request.params as { token: string }).token,
    }),
  ];
  return async (request) => {
    for (const count of counters) {
      const counted = await count(request);
      if (counted.isAllowed || !counted.isExceeded) continue;
      throw new AppError('RATE_LIMITED', 'Shared dashboards are asked for too often: try again later', {
        retryAfterSeconds: counted.ttlInSeconds,
      });
    }
  };
}
