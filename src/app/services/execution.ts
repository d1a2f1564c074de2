import type { ServerMeter } from '../../base/server-meter.ts';
import { createDeadLetterReplays } from '../../modules/dead-letters/dead-letter-replays.ts';
import { settlingLetters } from '../../modules/dead-letters/dead-letter-settling.ts';
import { DeletionWorker } from '../../modules/deletions/deletion-worker.ts';
import { Intake } from '../../modules/executor-callbacks/intake.ts';
import type { OnTargetsChanged } from '../../modules/executor-callbacks/schema-follow-ups.ts';
import { CancelRelay, type SendCancel } from '../../modules/executors/cancel-relay.ts';
import { executorLimitsOf } from '../../modules/executors/executor.ts';
import { createExecutors } from '../../modules/executors/executor-service.ts';
import { ExecutorKeyRegistry } from '../../modules/executors/keys/executor-key-registry.ts';
import { LeaseSweeper } from '../../modules/executors/lease-sweeper.ts';
import { createExecutorDrains } from '../../modules/executors/roster/executor-drains.ts';
import type { OnJobRunEnded } from '../../modules/job-runs/job-run-advance.ts';
import { createJobRunLateness } from '../../modules/job-runs/job-run-lateness.ts';
import { JobRuns } from '../../modules/job-runs/job-run-service.ts';
import { JobRunSweeper } from '../../modules/job-runs/job-run-sweeper.ts';
import type { EvaluateKey } from '../../modules/jobs/start/concurrency-key.ts';
import { createJobStarts } from '../../modules/jobs/start/job-starts.ts';
import { jobTaskNow } from '../../modules/jobs/start/job-task-now.ts';
import { channelBody } from '../../modules/notifications/failure-store.ts';
import { createRunPruning } from '../../modules/retention/run-pruning.ts';
import { LOG_LIMITS } from '../../modules/run-logs/run-log-limits.ts';
import { createRunLogWriter } from '../../modules/run-logs/run-log-writer.ts';
import { createRunSecrets } from '../../modules/run-logs/run-secrets.ts';
import { endingHelpers, RunParts } from '../../modules/runs/parts/run-parts.ts';
import { createRunNotifications } from '../../modules/runs/run-notifications.ts';
import { createRunReruns } from '../../modules/runs/run-rerun.ts';
import { createRuns } from '../../modules/runs/run-service.ts';
import { createBackfills } from '../../modules/triggers/backfill/backfill-service.ts';
import { Ticker } from '../../modules/triggers/tick/ticker.ts';
import {
  createTriggerHealth,
  noteTargetChange,
  noteTriggerResult,
} from '../../modules/triggers/trigger-health.ts';
import { createTriggers } from '../../modules/triggers/trigger-service.ts';
import { newEventId } from '../../modules/webhooks/delivery/webhook-redelivery.ts';
import { createWebhookOutbox } from '../../modules/webhooks/webhook-outbox.ts';
import type { DefinitionServices } from './definitions.ts';
import type { MeteringServices } from './platform.ts';
import type { ServicesDeps } from './services-deps.ts';

/** Job runs and runs: what starts them, what follows them, what executors say of them. */
export function createExecutionServices(
  deps: ServicesDeps,
  definitions: DefinitionServices,
  metering: MeteringServices,
) {
  const { store, clock, logger, config } = deps;
  const { meter, metrics, runOutcomes } = metering;
  const noteRunEnd = (runId: number) => runOutcomes.note(runId);
  const notifications = createRunNotifications(store);
  const wakeQueue = () => store.notify('work');
  const cancels = new CancelRelay();
  const sendCancel = cancels.send;
  const jobs = createJobServices(deps, definitions, { meter, wakeQueue, sendCancel, noteRunEnd });
  const { onRunStarted } = jobs.jobRuns;
  const onRunFinished = endingHelpers(store.dialect, settlingLetters(jobs.jobRuns.onRunFinished));
  const runSecrets = createRunSecrets({ store, connectorSecrets: definitions.connectors.connectorSecrets });
  const logs = createRunLogWriter(store, {
    secrets: runSecrets,
    meter,
    limits: { ...LOG_LIMITS, runBytesMax: config.logs.run_bytes_max },
  });
  const limits = executorLimitsOf(config.testing.lease_ttl_ms);
  const executors = createExecutors({ store, wakeQueue, limits, meter });
  const intake = new Intake({
    store,
    clock,
    random: Math.random,
    executors,
    cancels,
    logs,
    parts: new RunParts({ store, onRunFinished, wakeQueue, published: notifications.publish }),
    onRunFinished,
    onRunStarted,
    onTargetsChanged: followingChanges(jobs.webhookOutbox.onTargetsChanged),
    connectorSpecs: definitions.connectors.connectorSpecs,
    connectorSecrets: definitions.connectors.connectorSecrets,
    runSecrets,
    metricsBackends: metrics.backendsFor,
    storeMetrics: metrics.storeBatch,
    published: notifications.publish,
    limits,
    meter,
  });
  const forgetRuns = async (runIds: readonly number[]) => {
    await Promise.all([logs.forget(runIds), metrics.forgetRuns(runIds)]);
  };
  const runs = createRuns({
    store,
    clock,
    onRunFinished,
    sendCancel,
    published: notifications.publish,
  });
  const sweeper = new LeaseSweeper({
    store,
    clock,
    logger,
    onRunFinished,
    wakeQueue,
    published: notifications.publish,
    sendCancel,
    queueTimeoutMs: config.runs.queue_timeout_minutes * 60_000 || null,
    limits,
    meter,
  });
  const executorKeys = createExecutorKeys(deps);
  return {
    ...jobs,
    notifications,
    wakeQueue,
    logs,
    executors,
    executorKeys,
    executorDrains: createExecutorDrains({ store, wakeQueue }),
    intake,
    sendCancel,
    runPruning: createRunPruning({ store, clock }),
    deletions: new DeletionWorker({ store, clock, logger, forgetRuns }),
    runs,
    sweeper,
  };
}

/** A load whose target has changed pauses the trigger of its run, or sends a message. */
function followingChanges(notify: OnTargetsChanged): OnTargetsChanged {
  return async (tx, changed, now) => {
    const { trigger_id, job_run_id, changes } = changed;
    const pauses = changes.some(({ on_change }) => on_change === 'pause_trigger');
    if (pauses && trigger_id !== null) await noteTargetChange(tx, { trigger_id, job_run_id }, now);
    await notify(tx, changed, now);
  };
}

function createExecutorKeys({ config, store, clock, logger }: ServicesDeps) {
  const configured = { current: config.executor.key, previous: config.executor.previous_key };
  return new ExecutorKeyRegistry({ store, clock, logger, configured });
}

interface JobServicesParts {
  readonly meter: ServerMeter;
  readonly wakeQueue: () => void;
  readonly sendCancel: SendCancel;
  readonly noteRunEnd: (runId: number) => void;
}

function createJobServices(
  { store, clock, logger, pool }: ServicesDeps,
  { validateJobConfig }: DefinitionServices,
  { meter, wakeQueue, sendCancel, noteRunEnd }: JobServicesParts,
) {
  const webhookOutbox = createWebhookOutbox({ newEventId, channelBody });
  const { onJobRunLate } = webhookOutbox;
  const listeners: readonly OnJobRunEnded[] = [noteTriggerResult, webhookOutbox.onJobRunEnded];
  const onJobRunEnded: OnJobRunEnded = async (tx, ended, now) => {
    for (const listener of listeners) await listener(tx, ended, now);
  };
  const jobRuns = new JobRuns({ store, clock, wakeQueue, sendCancel, noteRunEnd, onJobRunEnded });
  const evaluateKey: EvaluateKey = (templateYaml, scope) =>
    pool.run({ kind: 'job_key', input: { templateYaml, scope } });
  const backfills = createBackfills({ store, clock, jobRuns, evaluateKey, validateJobConfig });
  return {
    webhookOutbox,
    jobRuns,
    jobStarts: createJobStarts({ store, jobRuns, evaluateKey, validateJobConfig }),
    reruns: createRunReruns({ store, clock, wakeQueue }),
    deadLetterReplays: createDeadLetterReplays({
      store,
      clock,
      wakeQueue,
      checkReplay: (yaml, stepId, tasks) =>
        pool.run({ kind: 'check_replay', input: { yaml, stepId, tasks } }),
      taskNow: jobTaskNow,
    }),
    backfills,
    jobRunSweeper: new JobRunSweeper({
      logger,
      passes: [
        { name: 'starting waiting job runs', run: jobRuns.startWaiting },
        { name: 'ending overdue job runs', run: jobRuns.expire },
        {
          name: 'reporting late job runs',
          run: createJobRunLateness({ store, logger, meter, onJobRunLate }),
        },
        { name: 'going on with backfills', run: backfills.advance },
      ],
      onWork: (listener) => store.listen('work', listener),
    }),
    triggers: createTriggers({ store, clock, jobRuns, evaluateKey }),
    ticker: new Ticker({
      store,
      clock,
      logger,
      jobRuns,
      health: createTriggerHealth({ store, emit: webhookOutbox.onTriggerPaused }),
      evaluateKey,
      meter,
    }),
  };
}
