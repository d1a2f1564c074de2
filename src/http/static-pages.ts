import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import send from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { anybody } from './access.ts';
import type { App } from './server.ts';

const YEAR_SECONDS = 31_536_000;

/** Serves the built web page from `folder`: hashed assets for ever, the rest revalidated. Of files, those that are there at the start. */
export function registerStaticPages(app: App, folder: string): void {
  const paths = pathsIn(folder);
  const route = { config: { access: anybody }, schema: { hide: true } };

  const answer = async (request: FastifyRequest, reply: FastifyReply, path: string, kept: string) => {
    if (!paths.has(path)) return reply.callNotFound();
    const options = { root: folder, index: false, etag: true, lastModified: false, cacheControl: false };
    const { statusCode, headers, stream } = await send(request.raw, encodeURI(path), options);
    return reply.code(statusCode).headers(headers).header('cache-control', kept).send(stream);
  };

  app.get('/share/:token', route, (request, reply) => {
    if (!paths.has('share.html'))
      throw new AppError('NOT_READY', 'The web page is not built: run `npm run build`');
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex');
    return answer(request, reply, 'share.html', 'no-cache');
  });
  app.get<{ Params: { '*': string } }>('/assets/*', route, (request, reply) =>
    answer(request, reply, join('assets', request.params['*']), `public, max-age=${YEAR_SECONDS}, immutable`),
  );
  for (const file of ['theme.js', 'icon.svg'])
    app.get(`/${file}`, route, (request, reply) => answer(request, reply, file, 'no-cache'));
}

function pathsIn(folder: string): Set<string> {
  if (!existsSync(folder)) return new Set();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
}
