import { z } from 'zod';
import { anybody } from '../../http/access.ts';
import { NOT_READY_SECONDS } from '../../http/error-map.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';

const group = { tag: 'Health', read: anybody };
const check = z.enum(['ok', 'failing']);
const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.object({
    store: check,
    migrations: check,
    scheduler: check,
    executors: z
      .enum(['ok', 'failing', 'none'])
      .describe(
        '`none`: no executor is connected, so runs wait in the queue. A server that starts no executor of its own is ready nevertheless',
      ),
    grpc: check,
  }),
});

export interface Checks extends Readonly<Record<'store' | 'migrations' | 'scheduler' | 'grpc', boolean>> {
  /** `none`: there is no executor, and the server is ready without. */
  readonly executors: boolean | 'none';
}

export interface HealthDeps {
  readonly version: string;
  readonly uptimeSeconds: () => number;
  readonly checks: () => Promise<Checks>;
}

export function registerHealthRoutes(app: App, { version, uptimeSeconds, checks }: HealthDeps): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/health',
    {
      id: 'getHealth',
      summary: 'Liveness of the process',
      answer: z.object({ status: z.literal('ok'), version: z.string(), uptime_seconds: z.number() }),
    },
    async () => ({ status: 'ok' as const, version, uptime_seconds: uptimeSeconds() }),
  );

  routes.get(
    '/api/health/ready',
    {
      id: 'getReadiness',
      summary: 'Readiness, component by component',
      answers: { 200: readiness, 503: readiness },
    },
    async (_request, reply) => {
      const found = await checks();
      const ready = Object.values(found).every(Boolean);
      const word = (good: boolean) => (good ? ('ok' as const) : ('failing' as const));
      if (!ready) reply.header('retry-after', NOT_READY_SECONDS);
      return reply.code(ready ? 200 : 503).send({
        status: ready ? ('ready' as const) : ('not_ready' as const),
        checks: {
          store: word(found.store),
          migrations: word(found.migrations),
          scheduler: word(found.scheduler),
          executors: found.executors === 'none' ? 'none' : word(found.executors),
          grpc: word(found.grpc),
        },
      });
    },
  );
}
