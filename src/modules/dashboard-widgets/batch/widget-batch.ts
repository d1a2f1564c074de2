import type { Clock } from '../../../base/clock.ts';
import type { FilterTexts } from '../../../language/dashboard/filters/filter-values.ts';
import type { Db } from '../../../store/store.ts';
import type { DashboardRow } from '../../dashboards/dashboard.ts';
import type { DashboardDocuments } from '../dashboard-documents.ts';
import { chooseWidgets, type KnownWidget } from '../known-widget.ts';
import { readOwnInputs } from '../widget-inputs.ts';
import { type ConnectorRefs, openWidgetSource } from '../widget-source.ts';
import { errorItem, GroupCalls, type GroupCallsDeps, type GroupLimits, NOTHING } from './group-calls.ts';
import { groupWidgets, type WidgetGroup } from './widget-groups.ts';

export interface BatchLimits extends GroupLimits {
  /** Longest time of the batch: what is not there by then says so in its own item. */
  readonly batchMsMax: number;
}

export const BATCH_LIMITS: BatchLimits = { callsAtOnce: 8, widgetMsMax: 10_000, batchMsMax: 25_000 };

export interface WidgetBatchDeps extends GroupCallsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly connectorRefs: ConnectorRefs;
  readonly documents: DashboardDocuments;
  /** Default: `BATCH_LIMITS`. */
  readonly limits?: BatchLimits;
}

export interface BatchRequest {
  /** Default: all widgets with data. */
  readonly widgetIds: readonly string[] | undefined;
  /** A share link's view: private pages and actions are not there. Errors are those of members: a stranger may not read them. */
  readonly publicView: boolean;
  /** Why the viewer may not submit or act, for people; null, the default, where they may. */
  readonly inputRefusal?: string | null;
  /** What the viewer chose. Default: nothing but the defaults. */
  readonly filter?: FilterTexts | undefined;
  /** Takes each item as soon as it is there. */
  readonly onItem?: (item: BatchItem) => void;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** A widget's id, and its `WidgetBatchItem` as JSON text. */
export type BatchItem = readonly [id: string, text: string];

/**
 * Computes the data of many widgets of one dashboard. The document is read once per version, the job's context once per batch, and
 * what several widgets read is read once, in one call for all of them; calls run under a cap, and a widget that fails says so in its
 * own item.
 */
export class WidgetBatch {
  readonly #deps: WidgetBatchDeps;
  readonly #limits: BatchLimits;
  readonly #calls: GroupCalls;

  constructor(deps: WidgetBatchDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? BATCH_LIMITS;
    this.#calls = new GroupCalls(deps, this.#limits);
  }

  /** The widgets that a request asks for; see `chooseWidgets`. */
  choose(row: DashboardRow, request: Omit<BatchRequest, 'signal'>): readonly KnownWidget[] {
    return chooseWidgets(this.#deps.documents.widgetsOf(row), request.widgetIds, request.publicView);
  }

  /** One item per widget asked for. Rejects with `NOT_READY` where the worker host is too busy. */
  async items(row: DashboardRow, request: BatchRequest): Promise<readonly BatchItem[]> {
    const widgets = this.choose(row, request);
    if (widgets.length === 0) return [];
    const { publicView, inputRefusal = null } = request;
    const opened = await openWidgetSource(this.#deps, row, widgets, request.filter);
    const own = await readOwnInputs(this.#deps, opened, widgets, inputRefusal);
    const texts = new Map<string, string>();
    const set = ({ id }: KnownWidget, text: string) => {
      if (texts.has(id)) return;
      texts.set(id, text);
      request.onItem?.([id, text]);
    };
    const context = { opened, publicView, own };
    const ended = new AbortController();
    const deadline = AbortSignal.timeout(this.#limits.batchMsMax);
    const signal = AbortSignal.any([request.signal, deadline, ended.signal]);
    const compute = async (group: WidgetGroup) => {
      try {
        const items = await this.#calls.items(context, group, signal, set);
        for (const [index, widget] of group.widgets.entries()) set(widget, items[index] ?? NOTHING);
      } catch (error) {
        // A full queue or a client that left ends the batch, and with it all that is still at work for it.
        request.signal.throwIfAborted();
        ended.signal.throwIfAborted();
        const item = deadline.aborted ? TOO_SLOW : this.#calls.failedItem(error);
        for (const widget of group.widgets) set(widget, item);
      }
    };
    try {
      const connectorOf = ({ connector }: WidgetGroup) => connector ?? '';
      await inFairShares(groupWidgets(widgets), this.#limits.callsAtOnce, connectorOf, compute);
    } finally {
      ended.abort(ENDED);
    }
    return widgets.map(({ id }) => [id, texts.get(id) ?? NOTHING] as const);
  }

  /** The answer's JSON text; items are spliced in as the threads made them. */
  async run(row: DashboardRow, request: BatchRequest): Promise<string> {
    return batchText(await this.items(row, request));
  }

  /** The same for one widget; `NOT_FOUND` where it is not there. */
  async runOne(
    row: DashboardRow,
    widgetId: string,
    request: Omit<BatchRequest, 'widgetIds'>,
  ): Promise<string> {
    const { id } = this.#deps.documents.widget(row, widgetId, request.publicView);
    return this.run(row, { ...request, widgetIds: [id] });
  }
}

/** Made once: an abort without a reason makes an exception with its stack for each batch. */
const ENDED = new Error('The batch has ended');
const TOO_SLOW = errorItem(
  'The widgets of this request took too long together: ask for fewer, or for this one alone',
);

/** `{"widgets": {...}}` of items. */
export function batchText(items: readonly BatchItem[]): string {
  return `{"widgets":{${items.map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}}`;
}

interface Group<T> {
  readonly waiting: T[];
  atWork: number;
}

/**
 * Works on `items` with at most `atOnce` at a time. The next is always one of the group that has the fewest at work, the first of
 * them in the order of the items: a group whose items take long leaves room to the others, and takes it all where nobody else
 * waits. Within a group items are begun in their order. The first failure rejects, and no further item is begun.
 */
export async function inFairShares<T>(
  items: readonly T[],
  atOnce: number,
  groupOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const groups = new Map<string, Group<T>>();
  for (const item of items) {
    const name = groupOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { waiting: [item], atWork: 0 });
    else group.waiting.push(item);
  }
  // Taken from the end.
  for (const { waiting } of groups.values()) waiting.reverse();
  const worker = async () => {
    for (let group = neediest(groups); group !== null; group = neediest(groups)) {
      const item = group.waiting.pop() as T;
      group.atWork += 1;
      try {
        await work(item);
      } catch (error) {
        groups.clear();
        throw error;
      }
      group.atWork -= 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

function neediest<T>(groups: ReadonlyMap<string, Group<T>>): Group<T> | null {
  let found: Group<T> | null = null;
  for (const group of groups.values()) {
    if (group.waiting.length > 0 && (found === null || group.atWork < found.atWork)) found = group;
  }
  return found;
}
