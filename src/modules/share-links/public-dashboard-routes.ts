import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { shareToken } from '../../http/access.ts';
import { isKnown } from '../../http/etag.ts';
import { Routes } from '../../http/routes.ts';
import { jsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import { type Branding, branding } from '../branding/branding.ts';
import { batchBody, publicBatchAnswer } from '../dashboard-widgets/widget-schemas.ts';
import { etagOf, type PublicBatch } from './public-batch.ts';
import type { CountPublicUse, PublicUse } from './public-limits.ts';
import { type PublicLinks, publicActorOf } from './public-links.ts';
import type { ShareLock } from './share-lock.ts';
import { SHARE_PASSWORD_CHARS_MAX } from './share-routes.ts';
import type { Shares } from './share-service.ts';

const group = { tag: 'Public Dashboards', read: shareToken, write: shareToken };
/** Any text: what is not a token is an unknown one. */
export const tokenParams = z.strictObject({ token: z.string() });
const UNLOCK_BYTES_MAX = 4_096;

const publicDashboard = z
  .object({
    title: z.string().nullable(),
    description: z.string().nullable(),
    navbar_ctas: z.array(z.record(z.string(), z.unknown())),
    refresh_interval_seconds: z.number().nullable(),
    allow_public_input: z
      .boolean()
      .describe('Whether the link accepts input, as allowed by its document and the server'),
    filters: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The filters offered to viewers, for `filter` of the other operations'),
    branding: branding.describe('Of the installation; see `GET /api/branding`'),
    pages: z.array(
      z.object({ id: z.string(), title: z.string(), widgets: z.array(z.record(z.string(), z.unknown())) }),
    ),
  })
  .meta({ id: 'PublicDashboard' });

export interface PublicDashboardRoutesDeps {
  readonly shares: Shares;
  readonly lock: ShareLock;
  readonly links: PublicLinks;
  readonly batch: PublicBatch;
  readonly branding: () => Promise<Branding>;
  readonly count: (use: PublicUse) => CountPublicUse;
  /** As those of sessions. */
  readonly secureCookies: boolean;
}

/**
 * Read through a share token, without credentials: a positive projection, never a query, a scope or a connector. A link with a
 * password is read by whoever has unlocked it.
 */
export function registerPublicDashboardRoutes(app: App, deps: PublicDashboardRoutesDeps): void {
  const routes = new Routes(app, group);
  registerReads(routes, deps);
  registerUnlock(routes, deps);
}

function registerReads(routes: Routes, deps: PublicDashboardRoutesDeps): void {
  const { links, batch, count } = deps;
  routes.get(
    '/api/public/dashboards/:token',
    {
      id: 'getPublicDashboard',
      summary: 'A shared dashboard as strangers may see it',
      params: tokenParams,
      answers: { 200: publicDashboard, 304: z.null() },
      sends: ['ETag'],
      errors: ['AUTH_ERROR'],
      onRequest: count('read'),
    },
    async (request, reply) => {
      const row = await links.open(request, request.params.token);
      const allow_public_input = (await links.inputRefusal(row)) === null;
      const own = { allow_public_input, branding: await deps.branding() };
      const etag = etagOf(`${JSON.stringify(own)} ${row.public_json}`);
      if (isUnchanged(request, reply, etag)) return reply.code(304).send();
      const shown = JSON.parse(row.public_json) as z.infer<typeof publicDashboard>;
      return { ...shown, ...own };
    },
  );
  const path = '/api/public/dashboards/:token/widgets/data';
  routes.post(
    path,
    {
      id: 'getPublicWidgetsData',
      summary: 'The data of a shared dashboard’s widgets',
      params: tokenParams,
      body: batchBody,
      answers: { 200: publicBatchAnswer, 304: z.null() },
      sends: ['ETag'],
      errors: ['AUTH_ERROR', 'FORBIDDEN', 'NOT_READY'],
      onRequest: count('read'),
    },
    async (request, reply) => {
      const row = await links.open(request, request.params.token);
      const { widget_ids: widgetIds, wait_ms: waitMs, filter } = request.body ?? {};
      const wanted = { widgetIds, filter, waitMs, inputRefusal: await links.inputRefusal(row) };
      const { text, etag } = await batch.run(row, wanted);
      if (isUnchanged(request, reply, etag)) return reply.code(304).send();
      return jsonText(reply, text);
    },
  );
}

function registerUnlock(
  routes: Routes,
  { shares, lock, count, secureCookies }: PublicDashboardRoutesDeps,
): void {
  const unlock = {
    id: 'unlockPublicDashboard',
    summary: 'Open a link that has a password: sets a cookie for 12 hours',
    params: tokenParams,
    sends: ['Set-Cookie' as const],
    body: z.strictObject({ password: z.string().min(1).max(SHARE_PASSWORD_CHARS_MAX) }),
    errors: ['AUTH_ERROR' as const, 'FORBIDDEN' as const],
    onRequest: count('unlock'),
    bodyLimit: UNLOCK_BYTES_MAX,
  };
  routes.post('/api/public/dashboards/:token/unlock', unlock, async (request, reply) => {
    const { token } = request.params;
    const row = await shares.byToken(token);
    const cookie = await lock.unlock(row, request.body.password, publicActorOf(request, row));
    if (cookie !== null) {
      reply.setCookie(cookie.name, cookie.value, {
        path: `/api/public/dashboards/${token}`,
        httpOnly: true,
        sameSite: 'strict',
        secure: secureCookies,
        maxAge: cookie.maxAgeSeconds,
      });
    }
  });
}

/** Sets the ETag; true where the client has that very answer. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  return isKnown(request, etag);
}
