import type { Test } from 'tap';
import type { Plugin } from '../../../src/drivers/plugins/plugin.ts';
import { registerConnectorCallRoutes } from '../../../src/modules/connectors/connector-call-routes.ts';
import { type CallPool, createConnectorCalls } from '../../../src/modules/connectors/connector-calls.ts';
import { registerConnectorRoutes } from '../../../src/modules/connectors/connector-routes.ts';
import { type Connectors, createConnectors } from '../../../src/modules/connectors/connector-service.ts';
import { registerPluginRoutes } from '../../../src/modules/connectors/plugin-routes.ts';
import { createPluginSpecs } from '../../../src/modules/connectors/plugin-specs.ts';
import type { Store } from '../../../src/store/store.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

export interface ConnectorsApp extends TestApp {
  readonly connectors: Connectors;
}

/** The connectors module over a store; without a pool, whatever needs the worker host is left out. */
export async function createConnectorsApp(
  t: Test,
  store: Store,
  pool?: CallPool,
  answerMsMax = 10_000,
  plugins: readonly Plugin[] = [],
): Promise<ConnectorsApp> {
  let made: Connectors | undefined;
  const app = await createTestApp(t, (app, { clock, cipher }) => {
    const drivers = allDrivers;
    const specs = pool === undefined ? null : createPluginSpecs({ pool, plugins });
    const checks = specs === null ? {} : { checkOf: specs.check };
    const connectors = createConnectors({ store, clock, cipher, drivers, ...checks });
    made = connectors;
    registerConnectorRoutes(app, { store, connectors, catalogue: drivers.catalogue });
    if (specs !== null) registerPluginRoutes(app, specs);
    if (pool !== undefined)
      registerConnectorCallRoutes(app, createConnectorCalls({ store, clock, connectors, pool, answerMsMax }));
  });
  if (made === undefined) throw new Error('the routes were not registered');
  return { ...app, connectors: made };
}

/** A connector with a secret, as its creator sends it. */
export const warehouse = {
  name: 'warehouse',
  type: 'postgres',
  config: { host: 'db.example.com', database: 'w', user: 'etl', password: 'pl4nted-s3cret' },
};

/** The body of a refusal. */
export interface Problems {
  error: string;
  message: string;
  details: { path: string; message: string }[];
}

/** The audit log, oldest first. */
export async function auditOf(store: Store) {
  return store.read.selectFrom('audit_logs').selectAll().orderBy('id').execute();
}
