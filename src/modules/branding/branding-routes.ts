import { anybody, member } from '../../http/access.ts';
import { etagOf, ifMatch, isKnown, notModified, setEtag } from '../../http/etag.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import { branding, brandingInput } from './branding.ts';
import type { Brandings } from './branding-service.ts';

const group = { tag: 'Branding', read: anybody, write: member('admin', 'branding:write') };
/** Two images and the other fields. */
const BODY_BYTES_MAX = 500_000;

export function registerBrandingRoutes(app: App, { brandings }: { readonly brandings: Brandings }): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/branding',
    {
      id: 'getBranding',
      summary: 'Public branding',
      answers: { 200: branding, 304: notModified },
      sends: ['ETag'],
    },
    async (request, reply) => {
      const found = await brandings.current();
      setEtag(reply, found.version);
      return isKnown(request, etagOf(found)) ? reply.code(304).send() : found.branding;
    },
  );
  routes.put(
    '/api/branding',
    {
      id: 'replaceBranding',
      summary: 'Replace the branding; keys that are left out are reset to their defaults',
      body: brandingInput,
      answer: branding,
      sends: ['ETag'],
      errors: ['PRECONDITION_FAILED', 'CONFLICT'],
      bodyLimit: BODY_BYTES_MAX,
    },
    async (request, reply) => {
      const saved = await brandings.replace(request.body, ifMatch(request), actorOf(request));
      setEtag(reply, saved.version);
      return saved.branding;
    },
  );
}
