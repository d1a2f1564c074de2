import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import send from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../base/errors.ts';
import { anybody } from './access.ts';
import { noRoute, PAGE_ROUTE } from './error-map.ts';
import type { App } from './server.ts';

const YEAR_SECONDS = 31_536_000;
const BROTLI = '.br';
/** The folder is read again for a file that it did not have, but not more often. */
const READ_AGAIN_MS = 1_000;
const NOT_FOUND = 404;

export interface StaticPages {
  /** Of the built pages. */
  readonly folder: string;
  /** Resolves when the folder has what it will have: requests wait for it. Left out, it has it now. */
  readonly built?: Promise<unknown>;
  /** The origins that may show the page of a share token in a frame. Left out, none may. */
  readonly embedOrigins?: (token: string) => Promise<readonly string[]>;
}

/**
 * Serves the built web pages: hashed assets for ever, the rest revalidated, each file as it was compressed at the build where the
 * client takes Brotli. Of files, those of the folder: it is read once the pages are built, and again where they may have been built anew
 * under the running server. A browser gets the page for those who sign in at `/`
 * and at every address below it that has no route, except `/api/`; others, who do not ask for HTML, get what they would without it.
 */
export function registerStaticPages(app: App, { folder, built, embedOrigins }: StaticPages): void {
  const paths = new PagePaths(folder, Promise.resolve(built));
  const route = { config: { access: anybody }, schema: { hide: true } };

  const answer = async (request: FastifyRequest, reply: FastifyReply, path: string, kept: string) => {
    if (!(await paths.has(path))) return reply.callNotFound();
    const file = takesBrotli(request) && paths.knows(path + BROTLI) ? path + BROTLI : path;
    const options = { root: folder, index: false, etag: true, lastModified: false, cacheControl: false };
    const { statusCode, headers, stream } = await send(request.raw, encodeURI(file), options);
    // It has gone since the folder was read.
    if (statusCode === NOT_FOUND) return reply.callNotFound();
    reply
      .code(statusCode)
      .headers(headers)
      .header('cache-control', kept)
      .header('vary', 'accept, accept-encoding');
    if (file !== path) reply.header('content-encoding', 'br').type(TYPES[extensionOf(path)] ?? TYPES.other);
    return reply.send(stream);
  };
  const page = async (request: FastifyRequest, reply: FastifyReply, file: string) => {
    if (!(await paths.has(file)))
      throw new AppError('NOT_READY', 'The web page is not built: run `npm run build`');
    return answer(request, reply, file, 'no-cache');
  };

  app.get<{ Params: { token: string } }>('/share/:token', route, async (request, reply) => {
    allowFrames(reply, (await embedOrigins?.(request.params.token)) ?? []);
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex');
    return page(request, reply, 'share.html');
  });
  app.get<{ Params: { '*': string } }>('/assets/*', route, (request, reply) =>
    answer(request, reply, join('assets', request.params['*']), `public, max-age=${YEAR_SECONDS}, immutable`),
  );
  for (const file of ['theme.js', 'icon.svg'])
    app.get(`/${file}`, route, (request, reply) => answer(request, reply, file, 'no-cache'));
  app.get('/', route, (request, reply) => {
    if (!asksForHtml(request)) throw notFound('page', '/');
    return page(request, reply, 'app.html');
  });
  app.get(PAGE_ROUTE, route, (request, reply) => {
    if (!asksForHtml(request) || request.url.startsWith('/api/')) throw noRoute(request);
    return page(request, reply, 'app.html');
  });
}

/** Lets these origins, and no others, show the answer in a frame. */
function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(reply.getHeader('content-security-policy'));
  reply
    .removeHeader('x-frame-options')
    .header(
      'content-security-policy',
      policy.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`),
    );
}

/** What the build compresses. */
const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  other: 'application/octet-stream',
} as const;

function extensionOf(path: string): keyof typeof TYPES {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return extension === 'js' || extension === 'css' ? extension : 'other';
}

/** As browsers do when they open an address. A program that takes anything does not. */
function asksForHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

function takesBrotli({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding'];
  return typeof accepted === 'string' && /(^|[\s,])br\s*(,|$)/.test(accepted);
}

/** The files of the folder of pages, as paths in it. */
class PagePaths {
  readonly #folder: string;
  readonly #built: Promise<unknown>;
  #known: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, built: Promise<unknown>) {
    this.#folder = folder;
    // What was built before is served where a build fails.
    this.#built = built.then(
      () => this.#read(),
      () => this.#read(),
    );
  }

  async has(path: string): Promise<boolean> {
    await this.#built;
    if (!this.#known.has(path) && performance.now() - this.#readAt > READ_AGAIN_MS) this.#read();
    return this.#known.has(path);
  }

  /** As the folder was read last. */
  knows(path: string): boolean {
    return this.#known.has(path);
  }

  #read(): void {
    this.#known = pathsIn(this.#folder);
    this.#readAt = performance.now();
  }
}

function pathsIn(folder: string): Set<string> {
  if (!existsSync(folder)) return new Set();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
}
