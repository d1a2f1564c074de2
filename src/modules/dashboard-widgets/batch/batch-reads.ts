import {
  type SharedQueryInput,
  TOO_MUCH_TO_SHARE,
  type WidgetAnswer,
} from '../../../threads/messages/widget-calls.ts';
import type { KnownWidget } from '../known-widget.ts';

/** A read that several widgets of a batch need: a shared query under one scope, or the very same call of their own. */
export interface BatchRead {
  readonly key: string;
  readonly query: Pick<SharedQueryInput, 'name' | 'profile' | 'widgetId'>;
  /** The connector that it reads from. */
  readonly connector: string | null;
}

/** The reads of a batch, each once, and which of them a widget needs. A call that one widget alone makes is its own affair. */
export function planReads(widgets: readonly KnownWidget[]): {
  readonly reads: readonly BatchRead[];
  readonly readOf: (widget: KnownWidget) => BatchRead | null;
} {
  const callers = new Map<string, KnownWidget[]>();
  for (const widget of widgets) {
    if (widget.readKey === null) continue;
    const group = callers.get(widget.readKey);
    if (group === undefined) callers.set(widget.readKey, [widget]);
    else group.push(widget);
  }
  const reads = new Map<string, BatchRead>();
  const needs = new Map<string, BatchRead>();
  for (const widget of widgets) {
    const query = queryOf(widget, callers);
    if (query === null) continue;
    const key = query.widgetId === undefined ? `query ${JSON.stringify(query)}` : `call ${widget.readKey}`;
    const read = reads.get(key) ?? { key, query, connector: widget.connector };
    reads.set(key, read);
    needs.set(widget.id, read);
  }
  return { reads: [...reads.values()], readOf: ({ id }) => needs.get(id) ?? null };
}

function queryOf(
  { sharedQuery, profile, readKey }: KnownWidget,
  callers: ReadonlyMap<string, readonly KnownWidget[]>,
): BatchRead['query'] | null {
  if (sharedQuery !== null) return { name: sharedQuery, profile };
  const group = readKey === null ? [] : (callers.get(readKey) ?? []);
  const [first] = group;
  return first === undefined || group.length === 1 ? null : { name: first.id, profile, widgetId: first.id };
}

/** How a widget is told what was read for it: only what it needs travels with it. */
export function readInput(
  read: BatchRead | null,
  answer: WidgetAnswer | null,
): { readonly shared: Readonly<Record<string, WidgetAnswer>>; readonly read?: WidgetAnswer } {
  if (read === null || answer === null) return { shared: {} };
  return read.query.widgetId === undefined
    ? { shared: { [read.query.name]: answer } }
    : { shared: {}, read: answer };
}

/** False where each widget makes the call by itself. */
export function isHandedOn(answer: WidgetAnswer | null): boolean {
  return answer !== null && !('error' in answer && answer.error === TOO_MUCH_TO_SHARE.error);
}
