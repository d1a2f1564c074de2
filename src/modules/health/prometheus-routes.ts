import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { local } from '../../http/access.ts';
import { PAGE_ROUTE } from '../../http/error-map.ts';
import { mediaAnswer } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { PrometheusMeter } from '../../metering/prometheus-meter.ts';

const group = { tag: 'Health', read: local('viewer', 'metrics:read') };

/** `GET /metrics` for Prometheus. */
export function registerPrometheusRoute(
  app: App,
  meter: Pick<PrometheusMeter, 'text' | 'contentType'>,
): void {
  const routes = new Routes(app, group);
  routes.get(
    '/metrics',
    {
      id: 'getPrometheusMetrics',
      summary: 'The server’s own metrics in the Prometheus text format',
      answer: mediaAnswer('Metrics', { 'text/plain': z.string() }),
    },
    async (_request, reply) => {
      reply.type(meter.contentType);
      return reply.send(await meter.text());
    },
  );
}

/** Reports every answer to the meter, by the pattern of its route. Call it before adding routes. */
export function meterRequests(app: FastifyInstance, meter: Pick<PrometheusMeter, 'observeRequest'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    const route = request.is404 || url === undefined || url === PAGE_ROUTE ? null : url;
    meter.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1_000);
    done();
  });
}
