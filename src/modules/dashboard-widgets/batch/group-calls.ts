import pMap from 'p-map';
import type { Clock } from '../../../base/clock.ts';
import { SharedWork } from '../../../base/concurrency/shared-work.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Input } from '../../../threads/messages/calls.ts';
import type { WidgetOwnInput } from '../../../threads/messages/widget-calls.ts';
import type { KnownWidget } from '../known-widget.ts';
import { sourceFor, sourceKey, type WidgetSource } from '../widget-source.ts';
import { SlowConnectors } from './slow-connectors.ts';
import type { WidgetGroup } from './widget-groups.ts';

/** The worker host, as far as a batch needs it. */
export interface GroupPool {
  run(
    call: { readonly kind: 'widgets'; readonly input: Input<'widgets'> },
    options: {
      readonly signal: AbortSignal;
      readonly timeoutMs: number;
      readonly onPart?: (index: number, text: string) => void;
    },
  ): Promise<string>;
}

export interface GroupCallsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pool: GroupPool;
}

export interface GroupLimits {
  /** Calls of one batch in the worker host at once. */
  readonly callsAtOnce: number;
  /** Longest time of a read, and of each widget, in its thread. */
  readonly widgetMsMax: number;
}

/** All that the groups of one batch have in common. */
export interface GroupContext {
  readonly opened: WidgetSource;
  readonly publicView: boolean;
  readonly own: (widget: KnownWidget) => WidgetOwnInput;
}

/** Takes the item of one widget of a group, as JSON text. */
type OnItem = (widget: KnownWidget, text: string) => void;

/**
 * Computes groups of widgets in the worker host. What several batches ask for at the same moment, of the same versions of
 * everything, is computed once for all of them.
 */
export class GroupCalls {
  readonly #deps: GroupCallsDeps;
  readonly #limits: GroupLimits;
  readonly #running = new SharedWork<readonly string[]>();
  readonly #slow: SlowConnectors;

  constructor(deps: GroupCallsDeps, limits: GroupLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#slow = new SlowConnectors(deps.clock);
  }

  /**
   * The items of a group in the order of its widgets; `onItem` takes each of them as soon as it is there, where this call is the
   * one that computes them. Rejects where what they read took a thread with it, and with `NOT_READY`.
   */
  items(
    context: GroupContext,
    group: WidgetGroup,
    signal: AbortSignal,
    onItem: OnItem,
  ): Promise<readonly string[]> {
    const own = group.widgets.map(context.own);
    const begin = (working: AbortSignal) => this.#together(context, group, own, working, onItem);
    if (group.volatile) return begin(signal);
    const asked = own.map(({ widgetId, inputRefusal, preset }) => [widgetId, inputRefusal, preset]);
    const key = `${sourceKey(context.opened, group.widgets)} ${JSON.stringify([context.publicView, asked])}`;
    return this.#running.join(key, signal, begin);
  }

  /** The item of something that failed. `NOT_READY` is no answer: it is thrown on. */
  failedItem(error: unknown): string {
    if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') {
      this.#deps.logger.error({ err: error }, `a widget failed: ${messageOf(error)}`);
      return errorItem('The widget could not be computed');
    }
    if (error.code === 'NOT_READY') throw error;
    return errorItem(error.message);
  }

  /** In one call. Where that fails with several widgets, after they were read for, whoever of them broke it gets the error alone. */
  async #together(
    context: GroupContext,
    group: WidgetGroup,
    own: readonly WidgetOwnInput[],
    signal: AbortSignal,
    onItem: OnItem,
  ): Promise<readonly string[]> {
    const { widgets } = group;
    const texts = new Map<KnownWidget, string>();
    const set = (widget: KnownWidget | undefined, text: string) => {
      if (widget === undefined || texts.has(widget)) return;
      texts.set(widget, text);
      onItem(widget, text);
    };
    let isRead = false;
    const onPart = (index: number, text: string) => {
      if (index === 0) isRead = true;
      else set(widgets[index - 1], text);
    };
    try {
      set(widgets.at(-1), await this.#call(context, group, own, signal, onPart));
    } catch (error) {
      signal.throwIfAborted();
      if (!isRead) throw error;
      const missing = widgets.filter((widget) => !texts.has(widget));
      const compute = async (widget: KnownWidget) =>
        set(widget, await this.#alone(context, { ...group, widgets: [widget] }, signal));
      await pMap(missing, compute, { concurrency: this.#limits.callsAtOnce });
    }
    return widgets.map((widget) => texts.get(widget) ?? NOTHING);
  }

  async #alone(context: GroupContext, group: WidgetGroup, signal: AbortSignal): Promise<string> {
    try {
      return await this.#call(context, group, group.widgets.map(context.own), signal);
    } catch (error) {
      signal.throwIfAborted();
      return this.failedItem(error);
    }
  }

  #call(
    { opened, publicView }: GroupContext,
    { connector, widgets }: WidgetGroup,
    own: readonly WidgetOwnInput[],
    signal: AbortSignal,
    onPart?: (index: number, text: string) => void,
  ): Promise<string> {
    const source = sourceFor(opened, widgets);
    const call = { kind: 'widgets', input: { ...source, publicView, widgets: own } } as const;
    const timeoutMs = this.#limits.widgetMsMax;
    const run = () => this.#deps.pool.run(call, { signal, timeoutMs, ...(onPart && { onPart }) });
    // A connector that is slow leaves room to others.
    const id = connector === null ? undefined : source.connectors[connector]?.id;
    return id === undefined ? run() : this.#slow.run(id, signal, run);
  }
}

export const NOTHING = '{"data":null}';

export function errorItem(message: string): string {
  return `{"error":${JSON.stringify(message)}}`;
}
