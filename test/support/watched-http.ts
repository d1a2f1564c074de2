import type { FastifyInstance } from 'fastify';
import type { Access } from '../../src/http/access.ts';
import type { App } from '../../src/http/server.ts';
import { OpenapiCheck, type OpenapiDocument } from './openapi-check.ts';
import { recordRoutes } from './route-record.ts';

export interface RouteEntry {
  readonly method: string;
  readonly url: string;
  readonly access: Access;
  readonly hidden: boolean;
}

/** An HTTP server whose routes are listed and whose answers are compared with its OpenAPI document. */
export interface WatchedHttp {
  readonly http: App;
  /** Every route that was registered, HEAD left out. */
  readonly routes: readonly RouteEntry[];
  readonly document: () => OpenapiDocument;
  readonly openapi: OpenapiCheck;
}

/** Call it before any route is registered. */
export function watchHttp(http: App): WatchedHttp {
  const routes: RouteEntry[] = [];
  const document = () => http.swagger() as unknown as OpenapiDocument;
  const openapi = new OpenapiCheck(document);
  http.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      if (method === 'HEAD' || route.config?.access === undefined) continue;
      const hidden = (route.schema as { hide?: boolean } | undefined)?.hide === true;
      routes.push({ method, url: route.url, access: route.config.access, hidden });
    }
  });
  recordRoutes(http as unknown as FastifyInstance);
  http.addHook('onSend', async (request, reply, payload) => {
    openapi.look(request, reply, payload);
    return payload;
  });
  return { http, routes, document, openapi };
}
