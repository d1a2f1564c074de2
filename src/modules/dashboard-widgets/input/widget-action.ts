import { timestampOrNull } from '../../../base/clock.ts';
import { AppError, type ErrorCode, validationError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { Store } from '../../../store/store.ts';
import type { PreparedRun } from '../../../threads/messages/widget-calls.ts';
import type { Actor } from '../../audit/audit.ts';
import { insertAudit } from '../../audit/audit-store.ts';
import type { JobOptions } from '../../jobs/options/job-options.ts';
import { notOffered } from '../../jobs/options/offered-values.ts';
import { placesOfFields } from '../../jobs/options/option-place.ts';
import type { JobStarts } from '../../jobs/start/job-starts.ts';
import type { KnownWidget } from '../known-widget.ts';
import { openWidgetSource, sourceFor, type WidgetSource } from '../widget-source.ts';
import {
  requireInput,
  requireType,
  type WidgetReadDeps,
  type WidgetService,
  type WidgetViewer,
} from '../widget-viewer.ts';
import { type ActionClaim, claimAction, settleAction } from './widget-action-store.ts';

export interface WidgetActionDeps extends WidgetReadDeps {
  readonly store: Store;
  readonly jobStarts: Pick<JobStarts, 'start'>;
  readonly jobOptions: Pick<JobOptions, 'missing'>;
}

/** What an action has done. */
interface Done {
  readonly outcome: 'started' | 'done';
  readonly jobRunId: number | null;
  readonly result: unknown;
}

/** One use of an action. */
interface Use {
  readonly claim: ActionClaim;
  readonly run: PreparedRun;
  /** Keys alone: what people type into an input is not for the audit log. */
  readonly inputKeys: readonly string[];
  readonly actor: Actor;
}

/**
 * Actions: what the document fixes is started or called, at most once per cooldown over all control planes. Once its turn is taken
 * it runs to its end, whether or not the client waits for it.
 */
export function createWidgetAction(deps: WidgetActionDeps): WidgetService['act'] {
  return async (row, widgetId, input, viewer) => {
    const widget = deps.documents.widget(row, widgetId, viewer.publicView);
    requireType(widget, ['action'], 'can be acted on');
    requireInput(viewer);
    const opened = await openWidgetSource(deps, row, [widget]);
    const prepared = await prepare(deps, opened, widget, input, viewer);
    const now = deps.clock.now();
    const coolingMs = cooldownMs(widget);
    const use: Use = {
      claim: {
        dashboard_id: row.id,
        widget_id: widgetId,
        acted_at: now,
        acted_by: viewer.actor.name,
        cooldown_until: coolingMs === 0 ? null : now + coolingMs,
      },
      run: prepared.run,
      inputKeys: isRecord(input) ? Object.keys(input) : [],
      actor: viewer.actor,
    };
    await claim(deps, use);
    const done = await carryOut(deps, opened, use).catch(async (error: unknown) => {
      await settle(deps, use, 'failed', null, hadEffect(error, use.run));
      throw asFailure(error, use.run);
    });
    await settle(deps, use, done.outcome, done.jobRunId, true);
    return {
      outcome: done.outcome,
      message: prepared.message,
      job_run_id: viewer.publicView ? null : done.jobRunId,
      result: viewer.publicView ? null : done.result,
      cooldown_until: timestampOrNull(use.claim.cooldown_until),
    };
  };
}

async function claim({ store }: WidgetActionDeps, use: Use): Promise<void> {
  const until = await store.write((tx) => claimAction(tx, use.claim));
  if (until === null) return;
  const seconds = Math.max(1, Math.ceil((until - use.claim.acted_at) / 1_000));
  throw new AppError('RATE_LIMITED', `This action was used just now: wait ${seconds} s`, {
    retryAfterSeconds: seconds,
  });
}

function settle(
  { store, clock }: WidgetActionDeps,
  use: Use,
  outcome: Done['outcome'] | 'failed',
  jobRunId: number | null,
  cools: boolean,
): Promise<void> {
  const { dashboard_id, widget_id } = use.claim;
  const diff = { widget_id, kind: use.run.kind, outcome, input: use.inputKeys };
  return store.write(async (tx) => {
    const cooldown_until = cools ? use.claim.cooldown_until : null;
    await settleAction(tx, use.claim, { outcome, job_run_id: jobRunId, cooldown_until });
    const entry = { action: 'dashboard.action', resourceType: 'dashboard', resourceId: dashboard_id, diff };
    await insertAudit(
      tx,
      use.actor,
      { ...entry, outcome: outcome === 'failed' ? 'failed' : 'success' },
      clock.now(),
    );
  });
}

async function carryOut(
  deps: WidgetActionDeps,
  { job, connectors }: WidgetSource,
  { run, actor }: Use,
): Promise<Done> {
  if (run.kind === 'call') return call(deps, connectors, run);
  const tasks = run.kind === 'task' ? { tasks: [run.task] } : {};
  const started = await deps.jobStarts.start(job.id, { args: run.args, priority: 0, ...tasks }, actor);
  return { outcome: 'started', jobRunId: started.id, result: null };
}

async function call(
  { pool, limits }: WidgetActionDeps,
  connectors: WidgetSource['connectors'],
  run: Extract<PreparedRun, { readonly kind: 'call' }>,
): Promise<Done> {
  const connector = Object.hasOwn(connectors, run.connector) ? connectors[run.connector] : undefined;
  if (connector === undefined)
    throw new AppError('CONNECTOR_ERROR', `There is no connector "${run.connector}"`);
  const input = { connector, method: run.method, args: run.args, fields: run.fields };
  const options = { timeoutMs: limits.callMsMax, once: true };
  const text = await pool.run({ kind: 'connector_call', input }, options);
  return { outcome: 'done', jobRunId: null, result: parseJsonText(text) };
}

/** What is to be carried out, with nothing done yet. `VALIDATION_ERROR` with what is wrong with the input. */
async function prepare(
  { pool, limits, jobOptions }: WidgetActionDeps,
  opened: WidgetSource,
  widget: KnownWidget,
  value: unknown,
  { publicView, signal }: WidgetViewer,
) {
  const input = { ...sourceFor(opened, []), widgetId: widget.id, publicView, value };
  const options = { signal, timeoutMs: limits.answerMsMax };
  const prepared = await pool.run({ kind: 'prepare_action', input }, options);
  if (!prepared.ok) throw validationError(prepared.problems);
  const chosen = { path: 'input', value: prepared.value, before: {} };
  // A request is not bound to what its page offered.
  const gone = await notOffered(placesOfFields('', widget.config['input']), chosen, (place, values) =>
    jobOptions.missing(opened.job, place, prepared.value, values, signal, widget.scope),
  );
  if (gone.length > 0) throw validationError(gone);
  return prepared;
}

/** A start that failed has done nothing, nor has a call that was refused; one whose answer is unknown may have acted. */
function hadEffect(error: unknown, { kind }: PreparedRun): boolean {
  const refused: readonly ErrorCode[] = ['CONNECTOR_ERROR', 'NOT_READY', 'VALIDATION_ERROR'];
  return kind === 'call' && !(error instanceof AppError && refused.includes(error.code));
}

/** Time, memory or output beyond the limit, and a process that was lost: of a call, that is the connector's failure. */
function asFailure(error: unknown, { kind }: PreparedRun): unknown {
  if (kind !== 'call' || !(error instanceof AppError) || error.code !== 'UNPROCESSABLE') return error;
  return new AppError('CONNECTOR_ERROR', error.message, { cause: error });
}

function cooldownMs({ config }: KnownWidget): number {
  const seconds = config['cooldown_seconds'];
  return typeof seconds === 'number' ? seconds * 1_000 : 0;
}
