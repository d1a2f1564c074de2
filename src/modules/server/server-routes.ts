import { z } from 'zod';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';

const group = { tag: 'Server', read: member('admin', 'server:read') };
const count = z.number().int();
const info = z
  .object({
    version: z.string(),
    store: z.string(),
    workers: z.object({ threads: count, queued: count, running: count, restarts: count }),
    limits: z.object({
      body_bytes: count,
      queue_max: count,
      task_timeout_ms: count,
      requests_per_minute: count,
    }),
    grpc: z.object({
      address: z
        .string()
        .describe('Where it listens for executors; `0.0.0.0` is every address of its machine'),
      tls: z.boolean().describe('Whether executors connect with TLS (`--ca`)'),
    }),
    public_url: z
      .string()
      .nullable()
      .describe('Under which people reach the server: `SVC_PUBLIC_URL`. Null: notifications have no links'),
  })
  .meta({ id: 'ServerInfo' });

export interface ServerRoutesDeps {
  readonly info: () => z.infer<typeof info>;
}

export function registerServerRoutes(app: App, deps: ServerRoutesDeps): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/server/info',
    { id: 'getServerInfo', summary: 'Version, store, pools and limits', answer: info },
    async () => deps.info(),
  );
}
