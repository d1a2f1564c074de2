import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { type DashboardRow, documentKey } from '../dashboards/dashboard.ts';
import type { KnownWidget } from '../dashboards/known-widget.ts';
import { type BatchItem, batchText, type WidgetBatch } from '../dashboards/widget-batch.ts';

/** Widgets that show what people send in: a change is seen by all at once. */
const INPUT_TYPES = new Set(['form', 'field_mapping', 'action']);
/** Widgets that show runs, without a query of their own. */
const RUN_TYPES = new Set(['task_progress', 'action']);
const KEPT_MS_MIN = 2_000;
const KEPT_MS_MAX = 60_000;
/** Where neither the widget nor its dashboard has an interval. */
const KEPT_MS_DEFAULT = 15_000;
/** Of its interval: whoever polls alone finds it just gone, and so a fresh one each time. */
const INTERVAL_SHARE = 0.9;
const ITEMS_MAX = 5_000;
const CHARS_MAX = 64_000_000;
/** Pages that are asked for as a whole; few, as each holds its text a second time. */
const JOINED_MAX = 100;

/** One computed answer: its text, and the ETag of that text. */
export interface PublicAnswer {
  readonly text: string;
  readonly etag: string;
}

interface Entry {
  readonly text: Promise<string>;
  /** When it is stale; infinite while it is being computed. */
  until: number;
  chars: number;
}

interface JoinedAnswer {
  readonly texts: readonly Promise<string>[];
  readonly answer: Promise<PublicAnswer>;
}

export interface PublicBatchDeps {
  readonly batch: WidgetBatch;
  readonly clock: Clock;
  /** Changes with everything that people send in to a dashboard; see `selectInputStamp`. */
  readonly inputStamp: (row: DashboardRow) => Promise<string>;
}

export interface PublicBatchRequest {
  /** Default: all widgets with data that the link shows. */
  readonly widgetIds: readonly string[] | undefined;
  /** As in `WidgetViewer`. */
  readonly inputRefusal: string | null;
}

export type PublicBatch = ReturnType<typeof createPublicBatch>;

/**
 * Answers of share links: one upstream query per widget and interval, however many people look on and whichever widgets they
 * ask for together. Whoever asks while a widget is computed waits for that. The computation is nobody's own, so it does not end
 * when one viewer leaves.
 */
export function createPublicBatch({ batch, clock, inputStamp }: PublicBatchDeps) {
  /** In order of their making. */
  const entries = new Map<string, Entry>();
  /** Whole answers by their widgets' keys, each good for as long as its items are those that it was joined of. */
  const joined = new Map<string, JoinedAnswer>();
  let chars = 0;

  async function run(row: DashboardRow, request: PublicBatchRequest): Promise<PublicAnswer> {
    const widgets = batch.choose(row, { widgetIds: request.widgetIds, publicView: true });
    const keys = await keysOf(row, widgets, request);
    const now = clock.now();
    const missing = widgets.filter(({ id }) => (entries.get(keys(id))?.until ?? 0) <= now);
    if (missing.length > 0) compute(row, missing, keys, request);
    const texts = widgets.map(({ id }) => entries.get(keys(id))?.text ?? NOTHING_COMPUTED);
    return join(
      widgets.map(({ id }) => id),
      widgets.map(({ id }) => keys(id)).join(' '),
      texts,
    );
  }

  /** Viewers who look at the same page ask for the same widgets: one of them has the texts joined and hashed. */
  async function join(
    ids: readonly string[],
    key: string,
    texts: readonly Promise<string>[],
  ): Promise<PublicAnswer> {
    const known = joined.get(key);
    if (known?.texts.every((text, index) => text === texts[index])) return known.answer;
    const answer = Promise.all(texts).then((made): PublicAnswer => {
      const text = batchText(made.map((item, index): BatchItem => [ids[index] ?? '', item]));
      return { text, etag: etagOf(text) };
    });
    if (joined.size >= JOINED_MAX) joined.clear();
    joined.set(key, { texts, answer });
    return answer;
  }

  /** Of a widget that takes input, a key tells what was last sent in as well: nobody is shown what was there before. */
  async function keysOf(
    row: DashboardRow,
    widgets: readonly KnownWidget[],
    { inputRefusal }: PublicBatchRequest,
  ): Promise<KeyOf> {
    const inputs = new Set(widgets.flatMap(({ id, type }) => (INPUT_TYPES.has(type) ? [id] : [])));
    const state = `${inputRefusal === null ? 'open' : 'closed'}/${inputs.size > 0 ? await inputStamp(row) : ''}`;
    const dashboard = documentKey(row);
    return (id) => `${dashboard}:${inputs.has(id) ? state : ''}:${id}`;
  }

  function compute(
    row: DashboardRow,
    widgets: readonly KnownWidget[],
    keys: KeyOf,
    request: PublicBatchRequest,
  ): void {
    const widgetIds = widgets.map(({ id }) => id);
    const signal = new AbortController().signal;
    const texts = batch
      .items(row, { widgetIds, publicView: true, inputRefusal: request.inputRefusal, signal })
      .then((items) => new Map(items.map((item) => item)));
    for (const widget of widgets) {
      const key = keys(widget.id);
      const text = texts.then((byId) => byId.get(widget.id) ?? NOTHING);
      const entry: Entry = { text, until: Number.POSITIVE_INFINITY, chars: 0 };
      drop(key);
      entries.set(key, entry);
      text.then(
        (made) => settle(key, entry, made, widget),
        () => {
          if (entries.get(key) === entry) drop(key);
        },
      );
    }
  }

  function settle(key: string, entry: Entry, text: string, widget: KnownWidget): void {
    if (entries.get(key) !== entry) return;
    entry.until = clock.now() + keptMs(widget, text);
    entry.chars = text.length;
    chars += text.length;
    evict();
  }

  function drop(key: string): void {
    chars -= entries.get(key)?.chars ?? 0;
    entries.delete(key);
  }

  /** The stale go, then the oldest; what is being computed stays. */
  function evict(): void {
    const now = clock.now();
    for (const [key, entry] of entries) if (entry.until <= now) drop(key);
    for (const [key, entry] of entries) {
      if (entries.size <= ITEMS_MAX && chars <= CHARS_MAX) return;
      if (entry.until !== Number.POSITIVE_INFINITY) drop(key);
    }
  }

  return { run };
}

const NOTHING = '{"data":null}';
const NOTHING_COMPUTED = Promise.resolve(NOTHING);

type KeyOf = (widgetId: string) => string;

/** A strong ETag of a text. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Failures and runs in progress are asked for again soon. */
function keptMs({ type, refreshSeconds }: KnownWidget, text: string): number {
  if (RUN_TYPES.has(type) || text.startsWith('{"error":')) return KEPT_MS_MIN;
  if (refreshSeconds === null) return KEPT_MS_DEFAULT;
  return Math.min(Math.max(refreshSeconds * 1_000 * INTERVAL_SHARE, KEPT_MS_MIN), KEPT_MS_MAX);
}
