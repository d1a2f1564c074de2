import { variableNamed } from '../../config.ts';
import { createAiReferences } from '../../modules/ai-references/ai-reference-service.ts';
import { createAuth } from '../../modules/auth/auth-service.ts';
import {
  deleteOtherSessionsOf,
  deleteSession,
  deleteSessionsOf,
  selectSessionsOf,
  unlockAccount,
} from '../../modules/auth/auth-store.ts';
import { createFailureLimit } from '../../modules/auth/failure-limit.ts';
import { createPasswords } from '../../modules/auth/password.ts';
import { createBrandings } from '../../modules/branding/branding-service.ts';
import { createConnectorCalls } from '../../modules/connectors/connector-calls.ts';
import { createConnectors } from '../../modules/connectors/connector-service.ts';
import { createPluginSpecs } from '../../modules/connectors/plugin-specs.ts';
import { createDashboardTemplates } from '../../modules/dashboard-templates/dashboard-template-service.ts';
import { WidgetBatch } from '../../modules/dashboard-widgets/batch/widget-batch.ts';
import { DashboardDocuments } from '../../modules/dashboard-widgets/dashboard-documents.ts';
import type { ConnectorRefs } from '../../modules/dashboard-widgets/widget-source.ts';
import { DashboardPush } from '../../modules/dashboards/dashboard-push.ts';
import { createDashboards } from '../../modules/dashboards/dashboard-service.ts';
import { createDashboardUpgrade } from '../../modules/dashboards/dashboard-upgrade.ts';
import { createExplorerPresets } from '../../modules/explorer-presets/explorer-preset-service.ts';
import { createJobTemplates } from '../../modules/job-templates/job-template-service.ts';
import { createJobConfigs } from '../../modules/jobs/config/job-config-service.ts';
import { createJobs } from '../../modules/jobs/job-service.ts';
import { createJobStates } from '../../modules/jobs/job-states.ts';
import { createJobOptions } from '../../modules/jobs/options/job-options.ts';
import { createOfferedValues } from '../../modules/jobs/options/offered-values.ts';
import { createTaskOverrides } from '../../modules/jobs/task-overrides.ts';
import { createJobUpgrades } from '../../modules/jobs/upgrade/job-upgrade.ts';
import { givenSettings } from '../../modules/server/given-settings.ts';
import { createServerConfigs } from '../../modules/server/server-config-service.ts';
import { childTextsOf } from '../../modules/tasks/child-tasks.ts';
import { createScriptRight } from '../../modules/tasks/script-right.ts';
import { createTasks } from '../../modules/tasks/task-service.ts';
import { createAccount } from '../../modules/users/account-service.ts';
import { createUsers } from '../../modules/users/user-service.ts';
import type { EvaluateInput, LockInput, PreviewInput } from '../../threads/messages/calls.ts';
import { ownFilesOf, pluginsOf } from '../own-files.ts';
import { createParsers } from './parsers.ts';
import type { ServicesDeps } from './services-deps.ts';

export type DefinitionServices = ReturnType<typeof createDefinitionServices>;

/** Definitions, users and settings: services that run nothing. */
export function createDefinitionServices(deps: ServicesDeps) {
  const { config, store, clock, cipher, pool, drivers } = deps;
  const parsers = createParsers(deps);
  const { parseTask, cursorSteps, parseDashboard, validateJobConfig } = parsers;
  const requireScriptRight = createScriptRight(config.scripts.allow);
  const sources = {
    variables: config.connectors.env,
    folders: config.connectors.files,
    forbiddenFiles: ownFilesOf(config, store),
    variable: variableNamed,
  };
  const pluginSpecs = createPluginSpecs({ pool, plugins: pluginsOf(config) });
  const checkOf = pluginSpecs.check;
  const connectors = createConnectors({ store, clock, cipher, drivers, sources, checkOf });
  const connectorRefs: ConnectorRefs = (mapping) => connectors.connectorRefs(store.read, mapping);
  const dashboards = createDashboards({ store, clock, parseDashboard });
  const jobOptions = createJobOptions({ clock, pool, connectorRefs });
  const offeredValues = createOfferedValues(jobOptions);
  return {
    ...parsers,
    ...createAccess(deps),
    ...createBatch(deps, connectorRefs),
    drivers,
    connectors,
    connectorRefs,
    pluginSpecs,
    connectorCalls: createConnectorCalls({ store, clock, connectors, pool }),
    preview: (input: PreviewInput, options: { readonly timeoutMs: number }) =>
      pool.run({ kind: 'preview', input }, options),
    evaluate: (input: EvaluateInput, options: { readonly timeoutMs: number }) =>
      pool.run({ kind: 'evaluate', input }, options),
    lockTask: (input: LockInput, options: { readonly timeoutMs: number; readonly signal: AbortSignal }) =>
      pool.run({ kind: 'lock_task', input }, options),
    childTexts: (yaml: string) => childTextsOf(store.read, parsers.parseTaskAlone, yaml),
    tasks: createTasks({ store, clock, parseTask, requireScriptRight }),
    jobTemplates: createJobTemplates({ store, clock, ...parsers }),
    dashboardTemplates: createDashboardTemplates({ store, clock, parseDashboard }),
    dashboardPush: new DashboardPush({ store, clock, parseDashboard }),
    explorerPresets: createExplorerPresets({ store, clock }),
    aiReferences: createAiReferences({ store, clock }),
    dashboards,
    jobs: createJobs({ store, clock, prepareDashboards: dashboards.prepare }),
    jobOptions,
    jobStates: createJobStates({ store, clock, cursorSteps }),
    taskOverrides: createTaskOverrides({ store, clock, parseTask, requireScriptRight }),
    jobUpgrades: createJobUpgrades({
      store,
      clock,
      validateJobConfig,
      offeredValues,
      prepareDashboards: createDashboardUpgrade({ store, parseDashboard }),
    }),
    brandings: createBrandings({ store, clock }),
    serverConfigs: createServerConfigs({ store, clock, cipher, given: givenSettings(config) }),
    jobConfigs: createJobConfigs({ store, clock, validateJobConfig, offeredValues }),
  };
}

/** Users, their accounts and how they sign in. */
function createAccess({ config, store, clock, cipher }: ServicesDeps) {
  const passwords = createPasswords();
  const limit = createFailureLimit(store);
  const sessions = {
    listOf: selectSessionsOf,
    delete: deleteSession,
    deleteAllOf: deleteSessionsOf,
    deleteOthersOf: deleteOtherSessionsOf,
  };
  return {
    passwords,
    auth: createAuth({ store, clock, cipher, config, passwords, limit }),
    users: createUsers({ store, clock, hashPassword: passwords.hash, deleteSessionsOf, unlockAccount }),
    account: createAccount({ store, clock, passwords, limit, unlockAccount, sessions }),
  };
}

function createBatch({ store, clock, logger, pool }: ServicesDeps, connectorRefs: ConnectorRefs) {
  const documents = new DashboardDocuments();
  const batch = new WidgetBatch({ db: store.read, clock, logger, documents, connectorRefs, pool });
  return { documents, batch };
}
