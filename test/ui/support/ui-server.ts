import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import { inputDashboard } from './ui-input-payloads.ts';
import { InputScript } from './ui-input-script.ts';
import { flightsDashboard, hostileDashboard } from './ui-payloads.ts';
import { widgetData } from './ui-widget-data.ts';

const distUi = join(dirname(fileURLToPath(import.meta.url)), '../../../dist/ui');
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
  /** While set, batches are refused with this status and a `Retry-After` of one second, and passwords by 429 for a quarter of an hour. */
  refuseWith(status: 429 | 503 | null): void;
  /** Takes a widget out of every dashboard. */
  remove(widgetId: string): void;
  /** Revokes every link. */
  revoke(): void;
  /** Protects every link with the password. */
  lock(): void;
  /** What stands behind the link `inputs`. */
  readonly inputs: InputScript;
  close(): Promise<void>;
}

/**
 * Serves the built page under the policy that the real server sends, with the links `flights`, `quick`, `hostile`, `inputs`
 * and `locked` (password "headwind"), on a free port of the loopback interface.
 */
export async function startUiServer(port = 0): Promise<UiServer> {
  const app = fastify();
  const batches: string[][] = [];
  const state = {
    refusal: null as 429 | 503 | null,
    revoked: false,
    locked: false,
    unlocked: false,
    removed: new Set<string>(),
  };
  const inputs = new InputScript();

  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', policy).header('x-content-type-options', 'nosniff');
  });
  await app.register(fastifyStatic, { root: distUi, wildcard: false, index: false });
  app.get('/share/:token', (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('share.html'),
  );
  addApi(app, batches, state, inputs);

  const url = await app.listen({ host: '127.0.0.1', port });
  return {
    url,
    batches,
    inputs,
    lock: () => {
      state.locked = true;
      state.unlocked = false;
    },
    refuseWith: (status) => {
      state.refusal = status;
    },
    remove: (widgetId) => void state.removed.add(widgetId),
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
  readonly locked: boolean;
  readonly removed: ReadonlySet<string>;
  unlocked: boolean;
}

const dashboards: Readonly<Record<string, unknown>> = {
  flights: flightsDashboard,
  quick: { ...flightsDashboard, refresh_interval_seconds: 2 },
  locked: flightsDashboard,
  hostile: hostileDashboard,
  inputs: inputDashboard,
};

function without(dashboard: unknown, removed: ReadonlySet<string>): unknown {
  const { pages, ...rest } = dashboard as { pages: { widgets: { id: string }[] }[] };
  const left = pages.map((page) => ({ ...page, widgets: page.widgets.filter(({ id }) => !removed.has(id)) }));
  return { ...rest, pages: left };
}

function addApi(app: FastifyInstance, batches: string[][], state: State, inputs: InputScript): void {
  const rounds = new Map<string, number>();
  const refusalOf = (token: string) => {
    if (state.revoked || !(token in dashboards)) {
      return { status: 404, body: { error: 'NOT_FOUND', message: 'There is no such link' } };
    }
    if ((token === 'locked' || state.locked) && !state.unlocked) {
      return { status: 401, body: { error: 'AUTH_ERROR', message: 'This link needs its password' } };
    }
    return null;
  };

  app.get<{ Params: { token: string } }>('/api/public/dashboards/:token', async (request, reply) => {
    const refusal = refusalOf(request.params.token);
    if (refusal) return reply.code(refusal.status).send(refusal.body);
    return without(dashboards[request.params.token], state.removed);
  });

  app.post<{ Params: { token: string }; Body: { password: string } }>(
    '/api/public/dashboards/:token/unlock',
    async (request, reply) => {
      if (state.refusal === 429) {
        const body = { error: 'RATE_LIMITED', message: 'Too many failed attempts; try again later' };
        return reply.code(429).header('retry-after', '890').send(body);
      }
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
      const unknown = request.body.widget_ids.filter((id) => state.removed.has(id));
      if (unknown.length > 0) {
        const message = `The dashboard has no widget "${unknown[0]}"`;
        return reply.code(400).send({ error: 'VALIDATION_ERROR', message });
      }
      batches.push(request.body.widget_ids);
      const widgets = request.body.widget_ids.map((id) => {
        const round = (rounds.get(id) ?? 0) + 1;
        rounds.set(id, round);
        const isInput = request.params.token === 'inputs';
        return [id, isInput ? inputs.data(id) : widgetData(id, round)] as const;
      });
      return { widgets: Object.fromEntries(widgets) };
    },
  );
  addInputApi(app, inputs, refusalOf);
}

type Refusal = { readonly status: number; readonly body: object } | null;

function addInputApi(app: FastifyInstance, inputs: InputScript, refusalOf: (token: string) => Refusal): void {
  app.post<{ Params: { token: string; id: string; what: string }; Body: Record<string, unknown> }>(
    '/api/public/dashboards/:token/widgets/:id/:what',
    async (request, reply) => {
      const { token, id, what } = request.params;
      const refusal = refusalOf(token);
      if (refusal) return reply.code(refusal.status).send(refusal.body);
      await sleep(what === 'action' ? inputs.pressMs : inputs.delayMs);
      const key = request.headers['idempotency-key'];
      const answer = inputs.answer(id, what, request.body, typeof key === 'string' ? key : null);
      return reply.code(answer.status).send(answer.body);
    },
  );
  app.get<{ Params: { token: string; id: string }; Querystring: Record<string, string> }>(
    '/api/public/dashboards/:token/widgets/:id/export',
    async (request, reply) => {
      inputs.calls.push({ widget: request.params.id, what: 'export', body: request.query, pressKey: null });
      const format = request.query['format'];
      reply.header('content-disposition', `attachment; filename="customers.${format}"`);
      return reply.type('text/plain').send('name\r\n');
    },
  );
}
