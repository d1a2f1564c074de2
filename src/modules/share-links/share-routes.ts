import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { idParams, noContent, operation } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { selectDashboard } from '../dashboards/dashboard-store.ts';
import type { Shares } from './share-service.ts';

const tag = 'Dashboards';
const PASSWORD_CHARS_MIN = 8;
export const SHARE_PASSWORD_CHARS_MAX = 200;

const shareLink = z.object({ share_token: z.string(), public_url: z.string() }).meta({ id: 'ShareLink' });
const shareLinkDetail = shareLink
  .extend({ expires_at: z.string().nullable(), has_password: z.boolean() })
  .meta({ id: 'ShareLinkDetail' });
const shareBody = z
  .strictObject({
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .describe('When the link ends; null: never; absent: as it stands'),
    password: z
      .string()
      .min(PASSWORD_CHARS_MIN)
      .max(SHARE_PASSWORD_CHARS_MAX)
      .nullable()
      .optional()
      .describe('Asked of whoever opens the link; null removes it; absent: as it stands'),
  })
  .nullish();
const write = member('editor', 'dashboards:write');

export interface ShareRoutesDeps {
  readonly store: Store;
  readonly shares: Shares;
}

/** The share link of a dashboard, for those who may make one. */
export function registerShareRoutes(app: App, { store, shares }: ShareRoutesDeps): void {
  app.post(
    '/api/dashboards/:id/share',
    operation({
      id: 'shareDashboard',
      tag,
      summary: 'Create the public share link, or return the one that stands',
      access: write,
      params: idParams,
      body: shareBody,
      answers: { 200: shareLink },
    }),
    async (request) => {
      const { expires_at: expires, password } = request.body ?? {};
      const expiresAt = typeof expires === 'string' ? Date.parse(expires) : expires;
      return shares.share(request.params.id, { expiresAt, password }, actorOf(request));
    },
  );

  app.get(
    '/api/dashboards/:id/share',
    operation({
      id: 'getShare',
      tag,
      summary: 'The share link that stands',
      access: write,
      params: idParams,
      answers: { 200: shareLinkDetail },
    }),
    async (request) => {
      const row = await selectDashboard(store.read, request.params.id);
      if (row === null) throw notFound('dashboard', request.params.id);
      return shares.linkOf(row);
    },
  );

  app.post(
    '/api/dashboards/:id/share/rotate',
    operation({
      id: 'rotateShare',
      tag,
      summary: 'A new link; the old one is dead at once',
      access: write,
      params: idParams,
      answers: { 200: shareLink },
    }),
    async (request) => shares.rotate(request.params.id, actorOf(request)),
  );

  app.delete(
    '/api/dashboards/:id/share',
    operation({
      id: 'revokeShare',
      tag,
      summary: 'Revoke the share link',
      access: write,
      params: idParams,
      answers: { 204: noContent },
    }),
    async (request, reply) => {
      await shares.revoke(request.params.id, actorOf(request));
      return reply.code(204).send();
    },
  );
}
