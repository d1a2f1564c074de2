import { z } from 'zod';
import { anybody } from '../../http/access.ts';
import { NOT_READY_SECONDS } from '../../http/error-map.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';

const group = { tag: 'Health', read: anybody };
const check = z.enum(['ok', 'failing']);
const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.object({ store: check, migrations: check, scheduler: check, executors: check, grpc: check }),
});

export type Checks = Readonly<Record<'store' | 'migrations' | 'scheduler' | 'executors' | 'grpc', boolean>>;

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
          executors: word(found.executors),
          grpc: word(found.grpc),
        },
      });
    },
  );
}
