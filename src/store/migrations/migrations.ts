import type { Migrate } from '../migrate.ts';
import { addRunOrder } from './0011-run-order.ts';
import { addFailedAccounts } from './0012-failed-accounts.ts';
import { addKeyRotation } from './0013-key-rotation.ts';
import { addRowsFiltered } from './0014-rows-filtered.ts';
import { addRunInputs } from './0015-run-inputs.ts';
import { addDeadLetterOrigins } from './0016-dead-letter-origins.ts';
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
import { createLogs } from './logs/0001-run-logs.ts';
import { addLogRetention } from './logs/0002-retention.ts';

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
};

/** The migrations of the bulk tables: a separate file in SQLite, the same database in PostgreSQL. */
export const logMigrations: Readonly<Record<string, Migrate>> = {
  'logs-0001-run-logs': createLogs,
  'logs-0002-retention': addLogRetention,
};
