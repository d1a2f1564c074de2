import { anybody, member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { operation } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import { branding, brandingInput } from './branding.ts';
import type { Brandings } from './branding-service.ts';

const tag = 'Branding';
/** Two images and the other fields. */
const BODY_BYTES_MAX = 500_000;

export function registerBrandingRoutes(app: App, { brandings }: { readonly brandings: Brandings }): void {
  app.get(
    '/api/branding',
    operation({
      id: 'getBranding',
      tag,
      summary: 'Public branding',
      access: anybody,
      answers: { 200: branding },
    }),
    async (_request, reply) => {
      const found = await brandings.current();
      setEtag(reply, found.version);
      return found.branding;
    },
  );

  const replace = operation({
    id: 'replaceBranding',
    tag,
    summary: 'Replace the branding; keys that are left out are reset to their defaults',
    access: member('admin', 'branding:write'),
    body: brandingInput,
    answers: { 200: branding },
    errors: ['PRECONDITION_FAILED', 'CONFLICT'],
  });
  app.put('/api/branding', { ...replace, bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const saved = await brandings.replace(request.body, ifMatch(request), actorOf(request));
    setEtag(reply, saved.version);
    return saved.branding;
  });
}
