import type { Migrate } from '../migrate.ts';
import { addJobRunSla } from './0041-job-run-sla.ts';
import { addConnectorHealth } from './0042-connector-health.ts';
import { indexNamesTogether } from './0043-names-indexed-together.ts';
import { addStepLosses } from './0044-step-losses.ts';
import { addVerifications } from './0045-verifications.ts';
import { createAccess } from './first-ten/0001-access.ts';
import { createDefinitions } from './first-ten/0002-definitions.ts';
import { createRuns } from './first-ten/0003-runs.ts';
import { addScheduling } from './first-ten/0004-scheduling.ts';
import { addDashboardInput } from './first-ten/0005-dashboards.ts';
import { addWebhooks } from './first-ten/0006-webhooks.ts';
import { addAiReferences } from './first-ten/0007-ai-references.ts';
import { addTriggerRules } from './first-ten/0008-trigger-rules.ts';
import { addTaskOverrides } from './first-ten/0009-task-overrides.ts';
import { addDeadLetterReplays } from './first-ten/0010-dead-letter-replays.ts';
import { addAllDeadLettersIndexes } from './fourth-ten/0031-all-dead-letters.ts';
import { addNotificationChannels } from './fourth-ten/0032-notification-channels.ts';
import { clusterSteps } from './fourth-ten/0033-clustered-steps.ts';
import { addExecutorDrains } from './fourth-ten/0034-executor-drains.ts';
import { addSchemaChanges } from './fourth-ten/0035-schema-changes.ts';
import { addEmbedOrigins } from './fourth-ten/0036-embed-origins.ts';
import { addRunParts } from './fourth-ten/0037-run-parts.ts';
import { addDashboardSearch } from './fourth-ten/0038-dashboard-search.ts';
import { addJobLabels } from './fourth-ten/0039-job-labels.ts';
import { leanLeases } from './fourth-ten/0040-lean-leases.ts';
import { createLogs } from './logs/0001-run-logs.ts';
import { addLogRetention } from './logs/0002-retention.ts';
import { indexUnpruned } from './logs/0003-unpruned.ts';
import { addRunOrder } from './second-ten/0011-run-order.ts';
import { addFailedAccounts } from './second-ten/0012-failed-accounts.ts';
import { addKeyRotation } from './second-ten/0013-key-rotation.ts';
import { addRowsFiltered } from './second-ten/0014-rows-filtered.ts';
import { addRunInputs } from './second-ten/0015-run-inputs.ts';
import { addDeadLetterOrigins } from './second-ten/0016-dead-letter-origins.ts';
import { addJobRunFailure } from './second-ten/0017-job-run-failure.ts';
import { addDeletions } from './second-ten/0018-deletions.ts';
import { addOpenLetters } from './second-ten/0019-open-letters.ts';
import { addListIndexes } from './second-ten/0020-list-indexes.ts';
import { addNameSearch } from './third-ten/0021-name-search.ts';
import { addRetention } from './third-ten/0022-retention.ts';
import { addRunTexts } from './third-ten/0023-run-texts.ts';
import { addDefinitionIndexes } from './third-ten/0024-definition-indexes.ts';
import { addOpenSecrets } from './third-ten/0025-open-secrets.ts';
import { addRunOutputs } from './third-ten/0026-run-outputs.ts';
import { addMoreListIndexes } from './third-ten/0027-more-list-indexes.ts';
import { addTriggerRunIndexes } from './third-ten/0028-trigger-run-indexes.ts';
import { addRunTasks } from './third-ten/0029-run-tasks.ts';
import { addRowsDeleted } from './third-ten/0030-rows-deleted.ts';

/** The state store's migrations, in order. Entries are only ever added. */
export const stateMigrations: Readonly<Record<string, Migrate>> = {
  '0001-access': createAccess,
  '0002-definitions': createDefinitions,
  '0003-runs': createRuns,
  '0004-scheduling': addScheduling,
  '0005-dashboards': addDashboardInput,
  '0006-webhooks': addWebhooks,
  '0007-ai-references': addAiReferences,
  '0008-trigger-rules': addTriggerRules,
  '0009-task-overrides': addTaskOverrides,
  '0010-dead-letter-replays': addDeadLetterReplays,
  '0011-run-order': addRunOrder,
  '0012-failed-accounts': addFailedAccounts,
  '0013-key-rotation': addKeyRotation,
  '0014-rows-filtered': addRowsFiltered,
  '0015-run-inputs': addRunInputs,
  '0016-dead-letter-origins': addDeadLetterOrigins,
  '0017-job-run-failure': addJobRunFailure,
  '0018-deletions': addDeletions,
  '0019-open-letters': addOpenLetters,
  '0020-list-indexes': addListIndexes,
  '0021-name-search': addNameSearch,
  '0022-retention': addRetention,
  '0023-run-texts': addRunTexts,
  '0024-definition-indexes': addDefinitionIndexes,
  '0025-open-secrets': addOpenSecrets,
  '0026-run-outputs': addRunOutputs,
  '0027-more-list-indexes': addMoreListIndexes,
  '0028-trigger-run-indexes': addTriggerRunIndexes,
  '0029-run-tasks': addRunTasks,
  '0030-rows-deleted': addRowsDeleted,
  '0031-all-dead-letters': addAllDeadLettersIndexes,
  '0032-notification-channels': addNotificationChannels,
  '0033-clustered-steps': clusterSteps,
  '0034-executor-drains': addExecutorDrains,
  '0035-schema-changes': addSchemaChanges,
  '0036-embed-origins': addEmbedOrigins,
  '0037-run-parts': addRunParts,
  '0038-dashboard-search': addDashboardSearch,
  '0039-job-labels': addJobLabels,
  '0040-lean-leases': leanLeases,
  '0041-job-run-sla': addJobRunSla,
  '0042-connector-health': addConnectorHealth,
  '0043-names-indexed-together': indexNamesTogether,
  '0044-step-losses': addStepLosses,
  '0045-verifications': addVerifications,
};

/** The migrations of the bulk tables: a separate file in SQLite, the same database in PostgreSQL. */
export const logMigrations: Readonly<Record<string, Migrate>> = {
  'logs-0001-run-logs': createLogs,
  'logs-0002-retention': addLogRetention,
  'logs-0003-unpruned': indexUnpruned,
};
