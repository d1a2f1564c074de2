import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../base/ids.ts';
import { anybody } from '../access.ts';
import { isKnown } from '../etag.ts';
import type { App } from '../server.ts';

const PAGE = '/api/docs';
const SCRIPT = `${PAGE}/reference.js`;
/** As everywhere, except for styles: the script creates style elements and attributes as it renders. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join(';');
const route = { config: { access: anybody }, schema: { hide: true } };

/** No third-party fonts, telemetry or proxy: the page calls only this server. */
const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Headgate API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
</head>
<body>
<script id="api-reference" data-url="/api/openapi.json" data-configuration="${attributeOf(CONFIGURATION)}"></script>
<script src="${SCRIPT}"></script>
</body>
</html>
`;

/** A file of the page, plain and compressed once, with a strong ETag. */
interface ServedScript {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/**
 * `GET /api/docs`: the reference page over `/api/openapi.json`. Its script (4 MB) is loaded from the package at the first
 * request. No inline script, and nothing from another host.
 */
export function registerApiDocs(app: App): void {
  let script: Promise<ServedScript> | null = null;

  app.get(PAGE, route, async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(HTML),
  );

  app.get(SCRIPT, route, async (request, reply) => {
    script ??= loadScript();
    return sendScript(await script, request, reply);
  });
}

function attributeOf(value: object): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** The package provides its script only as a route, so it is fetched from a server that never listens. */
async function loadScript(): Promise<ServedScript> {
  const [{ default: Fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const inner = Fastify();
  await inner.register(reference, { routePrefix: '/reference', configuration: { url: '/' } });
  const answer = await inner.inject('/reference/js/scalar.js');
  await inner.close();
  const plain = answer.rawPayload;
  return { plain, gzipped: await promisify(gzip)(plain), etag: `"${sha256(plain).slice(0, 32)}"` };
}

function sendScript(script: ServedScript, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('etag', script.etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  if (isKnown(request, script.etag)) return reply.code(304).send();
  reply.type('text/javascript; charset=utf-8');
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(script.plain);
  return reply.header('content-encoding', 'gzip').send(script.gzipped);
}
