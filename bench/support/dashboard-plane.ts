import { join } from 'node:path';
import { Pool } from 'undici';
import { startControlPlane } from '../../src/app/app.ts';
import { masterKeysOf, openCipher } from '../../src/app/keys/server-keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createFirstUser } from '../../src/commands/demo/first-user.ts';
import { loadConfig } from '../../src/config.ts';
import { createConnectors } from '../../src/modules/connectors/connector-service.ts';
import { WidgetBatch } from '../../src/modules/dashboard-widgets/batch/widget-batch.ts';
import { DashboardDocuments } from '../../src/modules/dashboard-widgets/dashboard-documents.ts';
import { requireDashboard } from '../../src/modules/dashboards/dashboard-store.ts';
import { allDrivers } from '../../test/support/all-drivers.ts';
import { createApiClient } from '../../test/support/api-client.ts';
import { type DashboardSeed, seedDashboards } from './dashboard-seed.ts';
import { nodeMemoryBelow } from './serve-process.ts';

/** A control plane in this process, with its worker host, over the dashboards of one job. */
export interface DashboardPlane {
  readonly dashboardIds: readonly number[];
  /** The data of all widgets of a dashboard by the control plane's own batch, as JSON text; without HTTP. */
  batch(dashboardId: number): Promise<string>;
  /** The same by its route, as a member with an API key. */
  postBatch(dashboardId: number): Promise<string>;
  /** Of the control plane (with what the benchmark itself holds) and the worker host. */
  rssMb(): number;
  stop(): Promise<void>;
}

/** Throws where a widget of the batch has no data: what fails is fast, and no figure. */
export function requireData(text: string): string {
  const { widgets } = JSON.parse(text) as { widgets: Record<string, { error?: string }> };
  for (const [id, { error }] of Object.entries(widgets))
    if (error !== undefined) throw new Error(`${id}: ${error}`);
  return text;
}

export async function startDashboardPlane(folder: string, seed: DashboardSeed): Promise<DashboardPlane> {
  const loaded = loadConfig({
    SVC_STATE_PATH: join(folder, 'state.db'),
    SVC_METRICS_PATH: join(folder, 'metrics.db'),
    SVC_HTTP_PORT: '0',
    SVC_EXECUTOR_EMBEDDED: 'false',
    SVC_FILE_ROOTS: folder,
    SVC_RATE_LIMIT_PER_MINUTE: '10000000',
  });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
  const { config } = loaded;
  const app = await startControlPlane({
    config,
    clock: systemClock,
    logger: silentLogger,
    version: '0.0.0',
  });
  await app.pool.ready();
  const { apiKey } = await createFirstUser(app.httpAddress, app.setupToken ?? '');
  const api = createApiClient({ baseUrl: app.httpAddress, key: apiKey });
  const { dashboardIds } = await seedDashboards(api, seed);
  const { store, pool } = app;
  const cipher = await openCipher(store, masterKeysOf(config), Date.now());
  const connectors = createConnectors({ store, clock: systemClock, cipher, drivers: allDrivers });
  const batch = new WidgetBatch({
    db: store.read,
    clock: systemClock,
    logger: silentLogger,
    documents: new DashboardDocuments(),
    connectorRefs: (mapping) => connectors.connectorRefs(store.read, mapping),
    pool,
  });
  const client = new Pool(app.httpAddress, { connections: 8 });
  return {
    dashboardIds,
    async batch(id) {
      const { signal } = new AbortController();
      const row = await requireDashboard(store.read, id);
      return batch.run(row, { widgetIds: undefined, publicView: false, signal });
    },
    async postBatch(id) {
      const headers = { authorization: `Bearer ${apiKey}` };
      const path = `/api/dashboards/${id}/widgets/data`;
      const answer = await client.request({ method: 'POST', path, headers });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(text);
      return text;
    },
    rssMb: () => nodeMemoryBelow(process.pid),
    async stop() {
      await client.close();
      await app.stop();
    },
  };
}
