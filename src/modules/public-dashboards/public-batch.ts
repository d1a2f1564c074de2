import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import type { KnownWidget } from '../dashboards/known-widget.ts';
import { type BatchItem, batchText, type WidgetBatch } from '../dashboards/widget-batch.ts';

const KEPT_MS_MIN = 2_000;
const KEPT_MS_MAX = 60_000;
/** Where neither the widget nor its dashboard has an interval. */
const KEPT_MS_DEFAULT = 15_000;
/** Of its interval: whoever polls alone finds it just gone, and so a fresh one each time. */
const INTERVAL_SHARE = 0.9;
const ITEMS_MAX = 5_000;
const CHARS_MAX = 64_000_000;

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

export type PublicBatch = ReturnType<typeof createPublicBatch>;

/**
 * Answers of share links: one upstream query per widget and interval, however many people look on and whichever widgets they
 * ask for together. Whoever asks while a widget is computed waits for that. The computation is nobody's own, so it does not end
 * when one viewer leaves.
 */
export function createPublicBatch(batch: WidgetBatch, clock: Clock) {
  /** In order of their making. */
  const entries = new Map<string, Entry>();
  let chars = 0;

  async function run(row: DashboardRow, widgetIds: readonly string[] | undefined): Promise<PublicAnswer> {
    const widgets = batch.choose(row, { widgetIds, publicView: true });
    const now = clock.now();
    const missing = widgets.filter(({ id }) => (entries.get(keyOf(row, id))?.until ?? 0) <= now);
    if (missing.length > 0) compute(row, missing);
    const items = widgets.map(async ({ id }): Promise<BatchItem> => {
      return [id, (await entries.get(keyOf(row, id))?.text) ?? NOTHING];
    });
    const text = batchText(await Promise.all(items));
    return { text, etag: etagOf(text) };
  }

  function compute(row: DashboardRow, widgets: readonly KnownWidget[]): void {
    const widgetIds = widgets.map(({ id }) => id);
    const signal = new AbortController().signal;
    const texts = batch
      .items(row, { widgetIds, publicView: true, signal })
      .then((items) => new Map(items.map((item) => item)));
    for (const widget of widgets) {
      const key = keyOf(row, widget.id);
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

const keyOf = (row: DashboardRow, widgetId: string) => `${row.id}@${row.version}:${widgetId}`;

/** A strong ETag of a text. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Failures and runs in progress are asked for again soon. */
function keptMs({ type, refreshSeconds }: KnownWidget, text: string): number {
  if (type === 'task_progress' || text.startsWith('{"error":')) return KEPT_MS_MIN;
  if (refreshSeconds === null) return KEPT_MS_DEFAULT;
  return Math.min(Math.max(refreshSeconds * 1_000 * INTERVAL_SHARE, KEPT_MS_MIN), KEPT_MS_MAX);
}
