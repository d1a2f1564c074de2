import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { toExecutor } from '../executors/executor.ts';
import { selectExecutors } from '../executors/executor-store.ts';

const EXECUTORS_MAX = 500;
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
    grpc: z.object({ address: z.string() }),
  })
  .meta({ id: 'ServerInfo' });
const executor = z
  .object({
    id: count,
    name: z.string(),
    instance_id: z.string(),
    version: z.string(),
    protocol_version: count,
    labels: z.record(z.string(), z.string()),
    connector_types: z.array(z.string()),
    slots: count,
    status: z.string(),
    registered_at: z.string(),
    last_seen_at: z.string(),
  })
  .meta({ id: 'Executor' });

export interface ServerRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly info: () => z.infer<typeof info>;
}

export function registerServerRoutes(app: App, deps: ServerRoutesDeps): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/server/info',
    { id: 'getServerInfo', summary: 'Version, store, pools and limits', answer: info },
    async () => deps.info(),
  );

  routes.get(
    '/api/server/executors',
    {
      id: 'listExecutors',
      summary: 'Executors, last seen first',
      access: member('viewer', 'server:read'),
      answer: z.object({ result: z.array(executor), next_cursor: z.null() }),
    },
    async () => {
      const rows = await selectExecutors(deps.store.read, EXECUTORS_MAX);
      return { result: rows.map((row) => toExecutor(row, deps.clock.now())), next_cursor: null };
    },
  );
}
