import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import { flightsDashboard, hostileDashboard } from './ui-payloads.ts';
import { widgetData } from './ui-widget-data.ts';

const distUi = join(dirname(fileURLToPath(import.meta.url)), '../../dist/ui');
const password = 'headwind';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

/** What a test may change while the server runs, and what it may look at. */
export interface UiServer {
  readonly url: string;
  /** The widget ids of each batch asked for, in order. */
  readonly batches: readonly string[][];
  /** While set, batches are refused with this status and a `Retry-After` of one second. */
  refuseWith(status: 429 | 503 | null): void;
  /** Revokes every link. */
  revoke(): void;
  close(): Promise<void>;
}

/**
 * Serves the built page under the policy that the real server sends, with the links `flights`, `hostile` and
 * `locked` (password "headwind"), on a free port of the loopback interface.
 */
export async function startUiServer(port = 0): Promise<UiServer> {
  const app = fastify();
  const batches: string[][] = [];
  const state = { refusal: null as 429 | 503 | null, revoked: false, unlocked: false };

  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', policy).header('x-content-type-options', 'nosniff');
  });
  await app.register(fastifyStatic, { root: distUi, wildcard: false, index: false });
  app.get('/share/:token', (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('share.html'),
  );
  addApi(app, batches, state);

  const url = await app.listen({ host: '127.0.0.1', port });
  return {
    url,
    batches,
    refuseWith: (status) => {
      state.refusal = status;
    },
    revoke: () => {
      state.revoked = true;
    },
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

interface State {
  readonly refusal: 429 | 503 | null;
  readonly revoked: boolean;
  unlocked: boolean;
}

function addApi(app: FastifyInstance, batches: string[][], state: State): void {
  const rounds = new Map<string, number>();
  const refusalOf = (token: string) => {
    if (state.revoked || !['flights', 'hostile', 'locked'].includes(token)) {
      return { status: 404, body: { error: 'NOT_FOUND', message: 'There is no such link' } };
    }
    if (token === 'locked' && !state.unlocked) {
      return { status: 401, body: { error: 'AUTH_ERROR', message: 'This link needs its password' } };
    }
    return null;
  };

  app.get<{ Params: { token: string } }>('/api/public/dashboards/:token', async (request, reply) => {
    const refusal = refusalOf(request.params.token);
    if (refusal) return reply.code(refusal.status).send(refusal.body);
    return request.params.token === 'hostile' ? hostileDashboard : flightsDashboard;
  });

  app.post<{ Params: { token: string }; Body: { password: string } }>(
    '/api/public/dashboards/:token/unlock',
    async (request, reply) => {
      if (request.body.password !== password) {
        return reply.code(401).send({ error: 'AUTH_ERROR', message: 'The password is not right' });
      }
      state.unlocked = true;
      return reply.code(204).send();
    },
  );

  app.post<{ Params: { token: string }; Body: { widget_ids: string[] } }>(
    '/api/public/dashboards/:token/widgets/data',
    async (request, reply) => {
      const refusal = refusalOf(request.params.token);
      if (refusal) return reply.code(refusal.status).send(refusal.body);
      if (state.refusal !== null) {
        const body = { error: 'NOT_READY', message: 'The server is busy' };
        return reply.code(state.refusal).header('retry-after', '1').send(body);
      }
      batches.push(request.body.widget_ids);
      const widgets = request.body.widget_ids.map((id) => {
        const round = (rounds.get(id) ?? 0) + 1;
        rounds.set(id, round);
        return [id, widgetData(id, round)] as const;
      });
      return { widgets: Object.fromEntries(widgets) };
    },
  );
}
