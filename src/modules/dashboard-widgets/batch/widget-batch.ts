import type { Clock } from '../../../base/clock.ts';
import { SharedWork } from '../../../base/concurrency/shared-work.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Db } from '../../../store/store.ts';
import type { SharedQueryInput, WidgetAnswer, WidgetInput } from '../../../threads/messages/widget-calls.ts';
import type { DashboardRow } from '../../dashboards/dashboard.ts';
import type { DashboardDocuments } from '../dashboard-documents.ts';
import { chooseWidgets, type KnownWidget } from '../known-widget.ts';
import { type OwnInput, readOwnInputs } from '../widget-inputs.ts';
import { type ConnectorRefs, openWidgetSource, sourceKey, type WidgetSource } from '../widget-source.ts';
import { type BatchRead, isHandedOn, planReads, readInput } from './batch-reads.ts';
import { inFairShares } from './in-fair-shares.ts';
import { SlowConnectors } from './slow-connectors.ts';

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
  sharedQuery(input: SharedQueryInput, options: PoolOptions): Promise<WidgetAnswer>;
}

export interface WidgetBatchDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pool: WidgetPool;
  readonly connectorRefs: ConnectorRefs;
  readonly documents: DashboardDocuments;
  /** Default: `BATCH_LIMITS`. */
  readonly limits?: BatchLimits;
}

export interface BatchRequest {
  /** Default: all widgets with data. */
  readonly widgetIds: readonly string[] | undefined;
  /** A share link's view: private pages and actions are not there, and what went wrong is not told. */
  readonly publicView: boolean;
  /** Why the viewer may not submit or act, for people; null, the default, where they may. */
  readonly inputRefusal?: string | null;
  /** Told of each item as soon as it is there. */
  readonly onItem?: (item: BatchItem) => void;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** A widget's id, and its `WidgetBatchItem` as JSON text. */
export type BatchItem = readonly [id: string, text: string];

export type WidgetBatch = ReturnType<typeof createWidgetBatch>;

/** Computes for one batch. An answer that could not be had is an answer with an error. */
type Compute = (work: (signal: AbortSignal) => Promise<WidgetAnswer>) => Promise<WidgetAnswer>;

/** One thing to do for a batch, and the connector whose share of the work it is; null for none. */
interface Step {
  readonly connector: string | null;
  readonly work: () => Promise<void>;
}

/** All that the widgets of one batch have in common. */
interface Batch {
  readonly request: BatchRequest;
  readonly opened: WidgetSource;
  readonly key: string;
  readonly own: (widget: KnownWidget) => OwnInput;
  readonly compute: Compute;
}

/**
 * Computes the data of many widgets of one dashboard. The document is read once per version, the job's context once per batch,
 * each shared query and each call that several widgets make once; widgets run under a cap, and one that fails says so in its own
 * item. What several batches ask for at the same moment, of the same versions of everything, is computed once for all of them.
 */
export function createWidgetBatch(deps: WidgetBatchDeps) {
  const limits = deps.limits ?? BATCH_LIMITS;
  const running = new SharedWork<WidgetAnswer>();
  const slow = new SlowConnectors(deps.clock);

  /** The widgets that a request asks for; see `chooseWidgets`. */
  function choose(row: DashboardRow, request: Omit<BatchRequest, 'signal'>): readonly KnownWidget[] {
    return chooseWidgets(deps.documents.widgetsOf(row), request.widgetIds, request.publicView);
  }

  /** One item per widget asked for. Rejects with `NOT_READY` where the worker host is too busy. */
  async function items(row: DashboardRow, request: BatchRequest): Promise<readonly BatchItem[]> {
    const wanted = choose(row, request);
    if (wanted.length === 0) return [];
    const opened = await openWidgetSource(deps, row);
    const own = await readOwnInputs(deps, opened, wanted, request.inputRefusal ?? null);
    const ended = new AbortController();
    const compute = computeFor(request, ended.signal);
    const batch = { request, opened, key: sourceKey(opened), own, compute };
    const { reads, readOf } = planReads(wanted);
    const answers = new Map<BatchRead, Promise<WidgetAnswer>>();
    const texts = new Map<string, string>();
    const widgetOf = (widget: KnownWidget, read: BatchRead | null) => async () => {
      const data = read === null ? null : ((await answers.get(read)) ?? null);
      const answer = await widgetAnswer(batch, widget, isHandedOn(data) ? read : null, data);
      const text = itemText(answer, request.publicView);
      texts.set(widget.id, text);
      request.onItem?.([widget.id, text]);
    };
    // A read is begun before those of its connector that wait for it, which come last; and a connector that hangs leaves places to
    // the others.
    const alone = wanted.filter((widget) => readOf(widget) === null);
    const steps: Step[] = [
      ...reads.map((read) => ({
        connector: read.connector,
        work: async () => {
          const answer = readAnswer(batch, read);
          answers.set(read, answer);
          await answer;
        },
      })),
      ...alone.map((widget) => ({ connector: widget.connector, work: widgetOf(widget, null) })),
      ...wanted.flatMap((widget) => {
        const read = readOf(widget);
        return read === null ? [] : [{ connector: read.connector, work: widgetOf(widget, read) }];
      }),
    ];
    try {
      await inFairShares(
        steps,
        limits.widgetsAtOnce,
        ({ connector }) => connector ?? '',
        ({ work }) => work(),
      );
    } finally {
      ended.abort(ENDED);
    }
    return wanted.map(({ id }) => [id, texts.get(id) ?? NOTHING] as const);
  }

  /** The answer's JSON text; widgets' payloads are spliced in as the threads made them. */
  async function run(row: DashboardRow, request: BatchRequest): Promise<string> {
    return batchText(await items(row, request));
  }

  /** The same for one widget; `NOT_FOUND` where it is not there. */
  async function runOne(
    row: DashboardRow,
    widgetId: string,
    request: Omit<BatchRequest, 'widgetIds'>,
  ): Promise<string> {
    const { id } = deps.documents.widget(row, widgetId, request.publicView);
    return run(row, { ...request, widgetIds: [id] });
  }

  /** The read, or that of another batch which is at it already. */
  function readAnswer(
    { opened, key, compute }: Batch,
    { key: readKey, query, connector }: BatchRead,
  ): Promise<WidgetAnswer> {
    const input = { ...opened.source, ...query };
    const call = (signal: AbortSignal) =>
      atConnector(opened, connector, signal, () =>
        deps.pool.sharedQuery(input, { signal, timeoutMs: limits.widgetMsMax }),
      );
    return compute((signal) => running.join(`${key} ${readKey}`, signal, call));
  }

  /** Leaves places to others where the connector that `work` reads from is a slow one. */
  function atConnector(
    { source }: WidgetSource,
    name: string | null,
    signal: AbortSignal,
    work: () => Promise<WidgetAnswer>,
  ): Promise<WidgetAnswer> {
    const { connectors } = source;
    const connector = name !== null && Object.hasOwn(connectors, name) ? connectors[name] : undefined;
    return connector === undefined ? work() : slow.run(connector.id, signal, work);
  }

  function widgetAnswer(
    { request, opened, key, own, compute }: Batch,
    widget: KnownWidget,
    read: BatchRead | null,
    data: WidgetAnswer | null,
  ): Promise<WidgetAnswer> {
    const { publicView } = request;
    const ownInput = own(widget);
    const input: WidgetInput = {
      ...opened.source,
      ...ownInput,
      ...readInput(read, data),
      widgetId: widget.id,
      publicView,
    };
    const call = (signal: AbortSignal) =>
      atConnector(opened, read === null ? widget.connector : null, signal, () =>
        deps.pool.widget(input, { signal, timeoutMs: limits.widgetMsMax }),
      );
    // Their data is the job's own, read anew for each batch.
    if (widget.readsRuns || widget.type === 'action') return compute(call);
    const { inputRefusal = null, preset = null } = ownInput;
    const view = JSON.stringify([publicView, inputRefusal, preset]);
    return compute((signal) => running.join(`${key} widget ${widget.id} ${view}`, signal, call));
  }

  /**
   * For one batch: a call that fails is an answer with an error, and so is one that is not done by the batch's deadline; a full
   * queue or a client that left ends the batch, and with it all that is still at work for it.
   */
  function computeFor(request: BatchRequest, ended: AbortSignal): Compute {
    const deadline = AbortSignal.timeout(limits.batchMsMax);
    const signal = AbortSignal.any([request.signal, deadline, ended]);
    return async (work) => {
      try {
        return await work(signal);
      } catch (error) {
        request.signal.throwIfAborted();
        ended.throwIfAborted();
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

  return { choose, items, run, runOne };
}

/** Made once: an abort without a reason makes an exception with its stack for each batch. */
const ENDED = new Error('The batch has ended');
const NOTHING = '{"data":null}';
const TOO_SLOW = 'The widgets of this request took too long together: ask for fewer, or for this one alone';
/** A stranger is not told of connectors, tables or expressions. */
const PUBLIC_ERROR = 'The data of this widget is not available right now';

/** `{"widgets": {...}}` of items. */
export function batchText(items: readonly BatchItem[]): string {
  return `{"widgets":{${items.map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}}`;
}

function itemText(answer: WidgetAnswer, publicView: boolean): string {
  if ('json' in answer) return `{"data":${answer.json}}`;
  return `{"error":${JSON.stringify(publicView ? PUBLIC_ERROR : answer.error)}}`;
}
