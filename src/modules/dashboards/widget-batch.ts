import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Db } from '../../store/store.ts';
import type { ConnectorRef, DashboardSource, WidgetAnswer, WidgetInput } from '../../threads/messages.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { type ConnectorMapping, defaultArgs, type JobRow } from '../jobs/job.ts';
import { selectJob } from '../jobs/job-store.ts';
import { type DashboardRow, documentOf } from './dashboard.ts';
import { inParallel } from './in-parallel.ts';
import { chooseWidgets, type KnownWidget, listWidgets } from './known-widget.ts';
import { selectLatestRuns } from './latest-runs.ts';

const DOCUMENTS_MAX = 200;

export interface BatchLimits {
  /** Widgets of one batch in the worker host at once. */
  readonly widgetsAtOnce: number;
  /** Longest time of one widget or shared query in its thread. */
  readonly widgetMsMax: number;
  /** Longest time of the batch: what is not there by then says so in its own item. */
  readonly batchMsMax: number;
}

export const BATCH_LIMITS: BatchLimits = { widgetsAtOnce: 8, widgetMsMax: 10_000, batchMsMax: 25_000 };

interface PoolOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** The worker host, as far as a batch needs it. */
export interface WidgetPool {
  widget(input: WidgetInput, options: PoolOptions): Promise<WidgetAnswer>;
  sharedQuery(
    input: DashboardSource & { readonly name: string },
    options: PoolOptions,
  ): Promise<WidgetAnswer>;
}

export interface WidgetBatchDeps {
  readonly db: Db;
  readonly logger: Logger;
  readonly pool: WidgetPool;
  /** Connectors of a job by template name, with their secrets. */
  readonly connectorRefs: (mapping: ConnectorMapping) => Promise<Readonly<Record<string, ConnectorRef>>>;
  /** Default: `BATCH_LIMITS`. */
  readonly limits?: BatchLimits;
}

export interface BatchRequest {
  /** Default: all widgets with data. */
  readonly widgetIds: readonly string[] | undefined;
  /** A share link's view: private pages and actions are not there, and what went wrong is not told. */
  readonly publicView: boolean;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** A widget's id, and its `WidgetBatchItem` as JSON text. */
export type BatchItem = readonly [id: string, text: string];

export type WidgetBatch = ReturnType<typeof createWidgetBatch>;

/**
 * Computes the data of many widgets of one dashboard. The document is read once per version, the job's context once per batch,
 * each shared query once; widgets run under a cap, and one that fails says so in its own item.
 */
export function createWidgetBatch(deps: WidgetBatchDeps) {
  const limits = deps.limits ?? BATCH_LIMITS;
  const known = new Map<string, readonly KnownWidget[]>();

  function widgetsOf(row: DashboardRow): readonly KnownWidget[] {
    const key = documentKey(row);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = listWidgets(documentOf(row));
    if (known.size >= DOCUMENTS_MAX) known.clear();
    known.set(key, made);
    return made;
  }

  /** The widgets that a request asks for; see `chooseWidgets`. */
  function choose(row: DashboardRow, request: Omit<BatchRequest, 'signal'>): readonly KnownWidget[] {
    return chooseWidgets(widgetsOf(row), request.widgetIds, request.publicView);
  }

  /** One item per widget asked for. Rejects with `NOT_READY` where the worker host is too busy. */
  async function items(row: DashboardRow, request: BatchRequest): Promise<readonly BatchItem[]> {
    const wanted = choose(row, request);
    if (wanted.length === 0) return [];
    const job = await selectJob(deps.db, row.job_id);
    if (job === null) throw new AppError('NOT_FOUND', `There is no dashboard "${row.id}"`);
    const source = await sourceOf(row, job, deps);
    const needsRuns = wanted.some((widget) => widget.readsRuns);
    const runs = needsRuns ? await selectLatestRuns(deps.db, job.id, parsedOf(job).tasks.length) : [];
    const call = callerOf(request);
    const shared = await resolveShared(wanted, (name) =>
      call((options) => deps.pool.sharedQuery({ ...source, name }, options)),
    );
    return inParallel(wanted, limits.widgetsAtOnce, async (widget) => {
      const input: WidgetInput = {
        ...source,
        widgetId: widget.id,
        shared: sharedOf(widget, shared),
        runs: widget.readsRuns ? runs : [],
        publicView: request.publicView,
      };
      const answer = await call((options) => deps.pool.widget(input, options));
      return [widget.id, itemText(answer, request.publicView)] as const;
    });
  }

  /** The answer's JSON text; widgets' payloads are spliced in as the threads made them. */
  async function run(row: DashboardRow, request: BatchRequest): Promise<string> {
    return batchText(await items(row, request));
  }

  /**
   * Runs the calls of one batch. A call that fails is an answer with an error, and so is one that is not done by the batch's
   * deadline; a full queue or a client that left ends the batch.
   */
  function callerOf(request: BatchRequest) {
    const deadline = AbortSignal.timeout(limits.batchMsMax);
    const signal = AbortSignal.any([request.signal, deadline]);
    const options = { signal, timeoutMs: limits.widgetMsMax };
    return async (work: (options: PoolOptions) => Promise<WidgetAnswer>): Promise<WidgetAnswer> => {
      try {
        return await work(options);
      } catch (error) {
        request.signal.throwIfAborted();
        if (deadline.aborted) return { error: TOO_SLOW };
        if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') {
          deps.logger.error({ err: error }, `a widget failed: ${messageOf(error)}`);
          return { error: 'The widget could not be computed' };
        }
        if (error.code === 'NOT_READY') throw error;
        return { error: error.message };
      }
    };
  }

  async function resolveShared(
    widgets: readonly KnownWidget[],
    resolve: (name: string) => Promise<WidgetAnswer>,
  ): Promise<ReadonlyMap<string, WidgetAnswer>> {
    const names = new Set(widgets.flatMap((widget) => widget.sharedQuery ?? []));
    const pair = async (name: string) => [name, await resolve(name)] as const;
    return new Map(await inParallel([...names], limits.widgetsAtOnce, pair));
  }

  return { choose, items, run };
}

const TOO_SLOW = 'The widgets of this request took too long together: ask for fewer, or for this one alone';
/** A stranger is not told of connectors, tables or expressions. */
const PUBLIC_ERROR = 'The data of this widget is not available right now';

/** `{"widgets": {...}}` of items. */
export function batchText(items: readonly BatchItem[]): string {
  return `{"widgets":{${items.map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}}`;
}

const documentKey = (row: DashboardRow) => `${row.id}@${row.version}`;

async function sourceOf(row: DashboardRow, job: JobRow, deps: WidgetBatchDeps): Promise<DashboardSource> {
  const args = defaultArgs(parsedOf(job));
  return {
    documentKey: documentKey(row),
    yaml: row.yaml_content,
    vars: args,
    connectors: await deps.connectorRefs(JSON.parse(job.connector_mapping_json) as ConnectorMapping),
    context: {
      job: { id: job.id, name: job.name, description: job.description, status: job.status },
      job_config: JSON.parse(job.config_json) as unknown,
      args,
    },
  };
}

/** Only what the widget reads: the results of the other queries need not travel with it. */
function sharedOf(
  { sharedQuery }: KnownWidget,
  shared: ReadonlyMap<string, WidgetAnswer>,
): Readonly<Record<string, WidgetAnswer>> {
  const answer = sharedQuery === null ? undefined : shared.get(sharedQuery);
  return sharedQuery === null || answer === undefined ? {} : { [sharedQuery]: answer };
}

function itemText(answer: WidgetAnswer, publicView: boolean): string {
  if ('json' in answer) return `{"data":${answer.json}}`;
  return `{"error":${JSON.stringify(publicView ? PUBLIC_ERROR : answer.error)}}`;
}
