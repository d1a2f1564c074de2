import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '../base/errors.ts';
import { anybody } from './access.ts';
import type { App } from './server.ts';

const YEAR_SECONDS = 31_536_000;

/** Serves the built web page from `folder`: hashed assets for ever, the rest revalidated. */
export async function registerStaticPages(app: App, folder: string): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, etag: true, lastModified: false });
  const built = existsSync(join(folder, 'share.html'));
  const route = { config: { access: anybody }, schema: { hide: true } };

  app.get('/share/:token', route, (_request, reply) => {
    if (!built) throw new AppError('NOT_READY', 'The web page is not built: run `npm run build`');
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex');
    return reply.header('cache-control', 'no-cache').sendFile('share.html', { cacheControl: false });
  });
  app.get<{ Params: { '*': string } }>('/assets/*', route, (request, reply) => {
    reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
    return reply.sendFile(join('assets', request.params['*']), { cacheControl: false });
  });
  for (const file of ['theme.js', 'icon.svg']) {
    app.get(`/${file}`, route, (_request, reply) =>
      reply.header('cache-control', 'no-cache').sendFile(file, { cacheControl: false }),
    );
  }
}
