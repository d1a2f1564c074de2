import { createHash } from 'node:crypto';
import { Lru } from '../../base/cache/lru.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { type BatchItem, batchText, type WidgetBatch } from '../dashboard-widgets/batch/widget-batch.ts';
import type { KnownWidget } from '../dashboard-widgets/known-widget.ts';
import { type DashboardRow, documentKey } from '../dashboards/dashboard.ts';
import { NO_DATA } from './public-error.ts';

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
const PLANS_MAX = 500;
/** Longer lists of widgets are looked up each time: a stranger chooses how long they are. */
const ASKED_CHARS_MAX = 4_000;

/** One computed answer: its text, and the ETag of that text. */
export interface PublicAnswer {
  readonly text: string;
  readonly etag: string;
}

interface Entry {
  readonly text: Promise<string>;
  /** The text once it is there. */
  made: string | null;
  /** When it is stale; infinite while it is being computed. */
  until: number;
  chars: number;
}

/** What a request asks of one version of a document. */
interface Plan {
  /** The document and the widgets. */
  readonly key: string;
  readonly widgets: readonly KnownWidget[];
  /** Ids of those that take input. */
  readonly inputs: ReadonlySet<string>;
}

/** A whole answer: good for as long as everything that it was joined of is. */
interface JoinedAnswer {
  readonly entries: readonly Entry[];
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
  /** After so many milliseconds, and as soon as anything is there, what is not is `pending`. Default: all that is asked for is awaited. */
  readonly waitMs?: number | undefined;
}

export type PublicBatch = ReturnType<typeof createPublicBatch>;

/**
 * Answers of share links: one upstream query per widget and interval, however many people look on and whichever widgets they
 * ask for together. Whoever asks while a widget is computed waits for that widget, and for no other. The computation is nobody's own,
 * so it does not end when one viewer leaves.
 */
export function createPublicBatch({ batch, clock, inputStamp }: PublicBatchDeps) {
  /** In order of their making. */
  const entries = new Map<string, Entry>();
  /** Whole answers by what they show: viewers who look at the same page ask for the same widgets. */
  const joined = new Map<string, JoinedAnswer>();
  const plans = new Lru<Plan>(PLANS_MAX);
  let chars = 0;

  async function run(row: DashboardRow, request: PublicBatchRequest): Promise<PublicAnswer> {
    const plan = planOf(row, request);
    const state = plan.inputs.size === 0 ? '' : await stateOf(row, request);
    const key = `${plan.key} ${state}`;
    const now = clock.now();
    const known = joined.get(key);
    if (known?.entries.every(({ until }) => until > now)) return inTime(plan, known, request);
    const keys = (id: string) => `${documentKey(row)}:${plan.inputs.has(id) ? state : ''}:${id}`;
    const missing = plan.widgets.filter(({ id }) => (entries.get(keys(id))?.until ?? 0) <= now);
    if (missing.length > 0) compute(row, missing, keys, request);
    return inTime(plan, join(plan, key, keys), request);
  }

  function planOf(row: DashboardRow, { widgetIds }: PublicBatchRequest): Plan {
    const asked = `${documentKey(row)} ${JSON.stringify(widgetIds)}`;
    const make = () => {
      const widgets = batch.choose(row, { widgetIds, publicView: true });
      const inputs = widgets.filter(({ type }) => INPUT_TYPES.has(type)).map(({ id }) => id);
      const key = `${documentKey(row)} ${JSON.stringify(widgets.map(({ id }) => id))}`;
      return { key, widgets, inputs: new Set(inputs) };
    };
    return asked.length > ASKED_CHARS_MAX ? make() : plans.get(asked, make);
  }

  /** Changes with what was last sent in: nobody is shown what was there before. */
  async function stateOf(row: DashboardRow, { inputRefusal }: PublicBatchRequest): Promise<string> {
    return `${inputRefusal === null ? 'open' : 'closed'}/${await inputStamp(row)}`;
  }

  /** One of those who wait has the texts joined and hashed. */
  function join(plan: Plan, key: string, keys: KeyOf): JoinedAnswer {
    const used = plan.widgets.map(({ id }) => entries.get(keys(id)) ?? NOTHING_COMPUTED);
    const answer = Promise.all(used.map(({ text }) => text)).then((texts) => answerOf(plan, texts));
    const made = { entries: used, answer };
    if (joined.size >= JOINED_MAX) joined.clear();
    joined.set(key, made);
    return made;
  }

  function compute(
    row: DashboardRow,
    widgets: readonly KnownWidget[],
    keys: KeyOf,
    request: PublicBatchRequest,
  ): void {
    const widgetIds = widgets.map(({ id }) => id);
    const signal = new AbortController().signal;
    const begunAt = clock.now();
    const begun = new Map<string, PromiseWithResolvers<string>>();
    for (const widget of widgets) {
      const key = keys(widget.id);
      const work = Promise.withResolvers<string>();
      begun.set(widget.id, work);
      const entry: Entry = { text: work.promise, made: null, until: Number.POSITIVE_INFINITY, chars: 0 };
      drop(key);
      entries.set(key, entry);
      work.promise.then(
        (made) => settle(key, entry, made, begunAt, widget),
        () => {
          entry.until = 0;
          if (entries.get(key) === entry) drop(key);
        },
      );
    }
    const onItem = ([id, text]: BatchItem) => begun.get(id)?.resolve(publicItem(text));
    const { inputRefusal } = request;
    batch.items(row, { widgetIds, publicView: true, inputRefusal, onItem, signal }).then(
      // Those that have their text keep it.
      () => {
        for (const { resolve } of begun.values()) resolve(NOTHING);
      },
      (error: unknown) => {
        for (const { reject } of begun.values()) reject(error);
      },
    );
  }

  /** An interval is counted from the beginning: whoever polls finds a slow widget renewed at each turn, and not at every other. */
  function settle(key: string, entry: Entry, text: string, begunAt: number, widget: KnownWidget): void {
    entry.made = text;
    if (entries.get(key) !== entry) return;
    entry.until = Math.max(begunAt + keptMs(widget, text), clock.now() + KEPT_MS_MIN);
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
const NOTHING_COMPUTED: Entry = { text: Promise.resolve(NOTHING), made: NOTHING, until: 0, chars: 0 };
const PENDING = '{"pending":true}';
const ERROR = JSON.stringify({ error: NO_DATA });

type KeyOf = (widgetId: string) => string;

/** The whole answer where it is there in time, else what is; but not before there is something: no question is in vain. */
async function inTime(
  plan: Plan,
  { entries, answer }: JoinedAnswer,
  { waitMs }: PublicBatchRequest,
): Promise<PublicAnswer> {
  if (waitMs === undefined || entries.every(({ made }) => made !== null)) return answer;
  const over = new AbortController();
  try {
    const whole = await Promise.race([answer, sleep(waitMs, over.signal)]);
    if (whole !== undefined) return whole;
    await Promise.race(entries.map(({ text }) => text));
    return answerOf(
      plan,
      entries.map(({ made }) => made ?? PENDING),
    );
  } finally {
    over.abort();
  }
}

function answerOf({ widgets }: Plan, texts: readonly string[]): PublicAnswer {
  const text = batchText(texts.map((item, index): BatchItem => [widgets[index]?.id ?? '', item]));
  return { text, etag: etagOf(text) };
}

/** A strong ETag of a text. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** An item without the message of its error. */
function publicItem(text: string): string {
  return isError(text) ? ERROR : text;
}

function isError(text: string): boolean {
  return text.startsWith('{"error":');
}

/** Failures and runs in progress are asked for again soon. */
function keptMs({ type, refreshSeconds }: KnownWidget, text: string): number {
  if (RUN_TYPES.has(type) || isError(text)) return KEPT_MS_MIN;
  if (refreshSeconds === null) return KEPT_MS_DEFAULT;
  return Math.min(Math.max(refreshSeconds * 1_000 * INTERVAL_SHARE, KEPT_MS_MIN), KEPT_MS_MAX);
}
