import { z } from 'zod';
import { anybody } from '../../http/access.ts';
import { operation } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';

const branding = z
  .object({
    product_name: z.string(),
    logo_url: z.string().nullable(),
    favicon_url: z.string().nullable(),
    primary_color: z.string().nullable(),
    support_url: z.string().nullable(),
  })
  .meta({ id: 'Branding' });

/** What pages show of the installation before anybody has signed in. */
export const DEFAULT_BRANDING: z.infer<typeof branding> = {
  product_name: 'Headgate',
  logo_url: null,
  favicon_url: null,
  primary_color: null,
  support_url: null,
};

export function registerBrandingRoutes(app: App): void {
  app.get(
    '/api/branding',
    operation({
      id: 'getBranding',
      tag: 'Branding',
      summary: 'Public branding',
      access: anybody,
      answers: { 200: branding },
    }),
    async () => DEFAULT_BRANDING,
  );
}
