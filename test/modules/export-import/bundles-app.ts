import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { createParsers } from '../../../src/app/services/parsers.ts';
import { createBundleServices } from '../../../src/app/services/platform.ts';
import type { Role } from '../../../src/http/access.ts';
import { installIdempotency } from '../../../src/http/idempotency.ts';
import type { CheckOf } from '../../../src/modules/connectors/connector-config.ts';
import { registerConnectorRoutes } from '../../../src/modules/connectors/connector-routes.ts';
import { createConnectors } from '../../../src/modules/connectors/connector-service.ts';
import { registerDashboardTemplateRoutes } from '../../../src/modules/dashboard-templates/dashboard-template-routes.ts';
import { createDashboardTemplates } from '../../../src/modules/dashboard-templates/dashboard-template-service.ts';
import { createDashboards } from '../../../src/modules/dashboards/dashboard-service.ts';
import { registerExportImportRoutes } from '../../../src/modules/export-import/export-import-routes.ts';
import { registerJobTemplateRoutes } from '../../../src/modules/job-templates/job-template-routes.ts';
import { createJobTemplates } from '../../../src/modules/job-templates/job-template-service.ts';
import { registerJobRoutes } from '../../../src/modules/jobs/job-routes.ts';
import { createJobs } from '../../../src/modules/jobs/job-service.ts';
import { createScriptRight } from '../../../src/modules/tasks/script-right.ts';
import { registerTaskRoutes } from '../../../src/modules/tasks/task-routes.ts';
import { createTasks } from '../../../src/modules/tasks/task-service.ts';
import { createIdempotencyStore } from '../../../src/store/idempotency-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { createTestApp, type TestApp, userOf } from '../../support/app.ts';

const requireScriptRight = createScriptRight('admin');

export interface BundlesOptions {
  /** Stands between the services and the store. */
  readonly wrap?: (store: Store) => Store;
  /** Default: nothing beside the types checks configurations. */
  readonly checkOf?: CheckOf;
}

/** Definitions, connectors, jobs and bundles over a store and the real worker host. */
export async function createBundlesApp(
  t: Test,
  given: Store,
  pool: WorkerPool,
  options: BundlesOptions = {},
): Promise<TestApp> {
  return createTestApp(t, async (app, { clock, cipher }) => {
    const plain = app as unknown as FastifyInstance;
    const store = options.wrap?.(given) ?? given;
    installIdempotency(
      plain,
      createIdempotencyStore(given, () => clock.now()),
    );
    const parsers = createParsers({ pool, store });
    const { parseTask, parseDashboard } = parsers;
    const drivers = allDrivers;
    const { checkOf } = options;
    const connectors = createConnectors({ store, clock, cipher, drivers, ...(checkOf && { checkOf }) });
    const tasks = createTasks({ store, clock, parseTask, requireScriptRight });
    const jobTemplates = createJobTemplates({ store, clock, ...parsers });
    const dashboardTemplates = createDashboardTemplates({ store, clock, parseDashboard });
    const dashboards = createDashboards({ store, clock, parseDashboard });
    registerConnectorRoutes(app, { store, connectors, catalogue: drivers.catalogue });
    registerTaskRoutes(app, { store, parseTask, tasks });
    registerJobTemplateRoutes(app, { store, jobTemplates });
    registerDashboardTemplateRoutes(app, { store, dashboardTemplates, parseDashboard });
    registerJobRoutes(app, {
      store,
      jobs: createJobs({ store, clock, prepareDashboards: dashboards.prepare }),
    });
    const definitions = {
      connectors,
      tasks,
      jobTemplates,
      dashboardTemplates,
      ...parsers,
    };
    const bundles = createBundleServices({ store, clock, pool }, definitions);
    await registerExportImportRoutes(app, bundles);
  });
}

/** As the clients of `TestApp`, with the bytes of an answer that is no JSON, and a body that may be none either. */
export function postedAs(
  { app }: TestApp,
  role: Role,
  url: string,
  payload: object | string | Buffer,
  headers: Readonly<Record<string, string>> = {},
) {
  const principal = JSON.stringify(userOf(role));
  const known = { 'x-test-principal': principal, 'sec-fetch-site': 'same-origin' };
  return app.inject({ method: 'POST', url, headers: { ...known, ...headers }, payload });
}

/** The text of an export. */
export async function exported(test: TestApp, payload: object): Promise<string> {
  const answer = await postedAs(test, 'viewer', '/api/export', payload);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.body;
}

export interface PlanBody {
  readonly dry_run: boolean;
  readonly plan_hash: string;
  readonly applicable: boolean;
  readonly required_role: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly items: readonly {
    readonly kind: string;
    readonly name: string;
    readonly action: string;
    readonly rename_to: string | null;
    readonly id: number | null;
    readonly version: number | null;
    readonly diff: string;
    readonly problems: readonly { readonly path: string; readonly message: string; readonly line?: number }[];
    readonly warnings: readonly { readonly path: string; readonly message: string }[];
  }[];
}

export const COPY = `version: 1
name: copy
connectors: { source: { type: csv }, target: { type: postgres } }
steps:
  - { id: rows, kind: extract, connector: source, method: read, args: {} }
  - { id: write, kind: load, input: rows, connector: target, object: t, mode: append }
`;
export const CHECK = `version: 1
name: check
description: Looks whether it is there
connectors: { source: { type: csv } }
steps:
  - { id: rows, kind: extract, connector: source, method: read, args: {} }
`;
export const NIGHTLY = `version: 1
name: nightly
description: Every night
connectors: { file: { type: csv }, db: { type: postgres } }
tasks:
  load: { task: copy, connectors: { source: file, target: db } }
  check: { task: check, needs: [load], connectors: { source: file } }
`;
export const BOARD = 'dashboard:\n  title: Board\n  widgets: [{ id: h, type: heading, text: Hi }]\n';
export const PASSWORD = 'Pl4nted-S3cret/of+the=warehouse';

/** Two tasks, a template of them with a dashboard, two connectors that a job of it binds; made in one of two orders. */
export async function makeDefinitions({ as }: TestApp, order: 'first' | 'last' = 'first'): Promise<void> {
  const admin = as('admin');
  const made = async (path: string, body: object) => {
    const answer = await admin.post<{ id: number }>(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id;
  };
  const steps = [
    () => made('/api/tasks', { yaml_content: COPY, description: 'no: "copy" #1' }),
    () => made('/api/tasks', { yaml_content: CHECK }),
  ];
  for (const step of order === 'first' ? steps : steps.toReversed()) await step();
  const db = await made('/api/connectors', {
    name: 'warehouse',
    type: 'postgres',
    config: { host: 'db.example.com', user: 'etl', password: PASSWORD },
  });
  const file = await made('/api/connectors', { name: 'files', type: 'csv', config: { path: '/data' } });
  const template = await made('/api/job-templates', { name: 'Nightly load', yaml_content: NIGHTLY });
  await made(`/api/job-templates/${template}/dashboard-templates`, { name: 'Board', yaml_content: BOARD });
  await made(`/api/job-templates/${template}/jobs`, { name: 'acme', connector_mapping: { file, db } });
}
