import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { selectDashboard } from '../dashboards/dashboard-store.ts';
import { EMBED_ORIGIN_CHARS_MAX, EMBED_ORIGINS_MAX } from './embed-origins.ts';
import type { Shares } from './share-service.ts';

const PASSWORD_CHARS_MIN = 8;
export const SHARE_PASSWORD_CHARS_MAX = 200;

const shareLink = z.object({ share_token: z.string(), public_url: z.string() }).meta({ id: 'ShareLink' });
const shareLinkDetail = shareLink
  .extend({
    expires_at: z.string().nullable(),
    has_password: z.boolean(),
    embed_origins: z.array(z.string()).describe('Sites allowed to embed the page'),
  })
  .meta({ id: 'ShareLinkDetail' });
const shareBody = z
  .strictObject({
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .describe('When the link expires; null: never; absent: unchanged'),
    password: z
      .string()
      .min(PASSWORD_CHARS_MIN)
      .max(SHARE_PASSWORD_CHARS_MAX)
      .nullable()
      .optional()
      .describe('Required to open the link; null removes it; absent: unchanged'),
    embed_origins: z
      .array(z.string().min(1).max(EMBED_ORIGIN_CHARS_MAX))
      .max(EMBED_ORIGINS_MAX)
      .optional()
      .describe(
        'Sites allowed to embed the page, each as scheme, host and port; empty: none, as by default; absent: unchanged',
      )
      .meta({ examples: [['https://intranet.example.com']] }),
  })
  .nullish();
const group = {
  tag: 'Dashboards',
  read: member('editor', 'dashboards:write'),
  write: member('editor', 'dashboards:write'),
};

export interface ShareRoutesDeps {
  readonly store: Store;
  readonly shares: Shares;
}

/** The share link of a dashboard, for those who may make one. */
export function registerShareRoutes(app: App, { store, shares }: ShareRoutesDeps): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/dashboards/:id/share',
    {
      id: 'shareDashboard',
      summary: 'Create the public share link, or return the current one',
      body: shareBody,
      answer: shareLink,
    },
    async (request) => {
      const { expires_at: expires, password, embed_origins: embedOrigins } = request.body ?? {};
      const expiresAt = typeof expires === 'string' ? Date.parse(expires) : expires;
      return shares.share(request.params.id, { expiresAt, password, embedOrigins }, actorOf(request));
    },
  );

  routes.get(
    '/api/dashboards/:id/share',
    { id: 'getShare', summary: 'The current share link', answer: shareLinkDetail },
    async (request) => {
      const row = await selectDashboard(store.read, request.params.id);
      if (row === null) throw notFound('dashboard', request.params.id);
      return shares.linkOf(row);
    },
  );

  routes.post(
    '/api/dashboards/:id/share/rotate',
    { id: 'rotateShare', summary: 'A new link; the old one is dead at once', answer: shareLink },
    async (request) => shares.rotate(request.params.id, actorOf(request)),
  );

  routes.delete(
    '/api/dashboards/:id/share',
    { id: 'revokeShare', summary: 'Revoke the share link' },
    async (request) => shares.revoke(request.params.id, actorOf(request)),
  );
}
