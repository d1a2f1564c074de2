import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { sha256 } from '../../../src/base/ids.ts';
import { inputDashboard } from './ui-input-payloads.ts';
import { InputScript } from './ui-input-script.ts';
import { flightsDashboard, hostileDashboard } from './ui-payloads.ts';
import { type Answer, refusal } from './ui-refusal.ts';
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

type OnAnswer = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void;

/** One address for servers that follow one another: a browser keeps what it has compiled by address. */
export interface UiAddress {
  readonly url: string;
  /** Hands all requests from now on to this server. */
  lead(to: FastifyInstance): void;
  close(): Promise<void>;
}

/** On a free port of the loopback interface. */
export async function openUiAddress(): Promise<UiAddress> {
  let app: FastifyInstance | null = null;
  const server = createServer((request, response) => {
    if (app === null) response.destroy();
    else app.routing(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (to) => {
      app = to;
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/**
 * Serves the built page under the policy that the real server sends, with the links `flights`, `quick`, `hostile`, `inputs`
 * and `locked` (password "headwind"), at an address that is given or on a free port of the loopback interface.
 */
export async function startUiServer(
  onAnswer: OnAnswer = () => {},
  address: UiAddress | null = null,
): Promise<UiServer> {
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

  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('content-security-policy', policy).header('x-content-type-options', 'nosniff');
    onAnswer(request, reply, payload);
  });
  await app.register(fastifyStatic, { root: distUi, wildcard: false, index: false });
  app.get('/share/:token', (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('share.html'),
  );
  addApi(app, batches, state, inputs);

  let url = address?.url;
  if (address !== null) {
    await app.ready();
    address.lead(app);
  }
  url ??= await app.listen({ host: '127.0.0.1', port: 0 });
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

/** Weak, as the server's: of what is shown. */
function etagOf(token: string, shown: unknown): string {
  return `W/"${sha256(JSON.stringify([token, shown]))}"`;
}

function addApi(app: FastifyInstance, batches: string[][], state: State, inputs: InputScript): void {
  const rounds = new Map<string, number>();
  const refusalOf = (token: string) => {
    if (state.revoked || !(token in dashboards)) {
      return refusal('NOT_FOUND', 'There is no such link');
    }
    if ((token === 'locked' || state.locked) && !state.unlocked) {
      return refusal('AUTH_ERROR', 'This link needs its password');
    }
    return null;
  };

  app.get<{ Params: { token: string } }>('/api/public/dashboards/:token', async (request, reply) => {
    const refused = refusalOf(request.params.token);
    if (refused) return send(reply, refused);
    reply.header('etag', etagOf(request.params.token, [...state.removed]));
    return without(dashboards[request.params.token], state.removed);
  });

  app.post<{ Params: { token: string }; Body: { password: string } }>(
    '/api/public/dashboards/:token/unlock',
    async (request, reply) => {
      if (state.refusal === 429) {
        reply.header('retry-after', '890');
        return send(reply, refusal('RATE_LIMITED', 'Too many failed attempts; try again later'));
      }
      if (request.body.password !== password) {
        return send(reply, refusal('AUTH_ERROR', 'The password is not right'));
      }
      state.unlocked = true;
      return reply.code(204).send();
    },
  );

  app.post<{ Params: { token: string }; Body: { widget_ids: string[] } }>(
    '/api/public/dashboards/:token/widgets/data',
    async (request, reply) => {
      const refused = refusalOf(request.params.token);
      if (refused) return send(reply, refused);
      if (state.refusal !== null) {
        reply.header('retry-after', '1');
        return send(
          reply,
          refusal(state.refusal === 429 ? 'RATE_LIMITED' : 'NOT_READY', 'The server is busy'),
        );
      }
      const unknown = request.body.widget_ids.filter((id) => state.removed.has(id));
      if (unknown.length > 0) {
        const message = `The dashboard has no widget "${unknown[0]}"`;
        return send(reply, refusal('VALIDATION_ERROR', message));
      }
      batches.push(request.body.widget_ids);
      const widgets = request.body.widget_ids.map((id) => {
        const round = (rounds.get(id) ?? 0) + 1;
        rounds.set(id, round);
        const isInput = request.params.token === 'inputs';
        return [id, isInput ? inputs.data(id) : widgetData(id, round)] as const;
      });
      reply.header('etag', etagOf(request.params.token, widgets));
      return { widgets: Object.fromEntries(widgets) };
    },
  );
  addInputApi(app, inputs, refusalOf);
}

type WidgetParams = { readonly token: string; readonly widget_id: string };

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body);
}

function addInputApi(
  app: FastifyInstance,
  inputs: InputScript,
  refusalOf: (token: string) => Answer | null,
): void {
  const widget = '/api/public/dashboards/:token/widgets/:widget_id';
  for (const what of ['options', 'submit', 'action', 'rows']) {
    app.post<{ Params: WidgetParams; Body: Record<string, unknown> }>(
      `${widget}/${what}`,
      async (request, reply) => {
        const { token, widget_id } = request.params;
        const refused = refusalOf(token);
        if (refused) return send(reply, refused);
        await sleep(what === 'action' ? inputs.pressMs : inputs.delayMs);
        const key = request.headers['idempotency-key'];
        const answer = inputs.answer(widget_id, what, request.body, typeof key === 'string' ? key : null);
        return send(reply, answer);
      },
    );
  }
  app.get<{ Params: WidgetParams; Querystring: Record<string, string> }>(
    `${widget}/export`,
    async (request, reply) => {
      const { widget_id } = request.params;
      inputs.calls.push({ widget: widget_id, what: 'export', body: request.query, pressKey: null });
      const format = request.query['format'];
      reply.header('content-disposition', `attachment; filename="customers.${format}"`);
      return reply.type('text/plain').send('name\r\n');
    },
  );
}
