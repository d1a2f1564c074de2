import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { DashboardFilter } from '../../language/dashboard/filters/dashboard-filter.ts';
import { chosenTexts, type FilterTexts } from '../../language/dashboard/filters/filter-values.ts';
import {
  type BegunItem,
  beginItems,
  NOTHING_BEGUN,
  PENDING,
  untilSome,
} from '../dashboard-widgets/batch/begin-items.ts';
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

interface Entry extends BegunItem {
  /** When it is stale; infinite while it is being computed. */
  until: number;
}

/** What a request asks of one version of a document. */
interface Plan {
  /** The document and the widgets. */
  readonly key: string;
  readonly widgets: readonly KnownWidget[];
  /** Ids of those that show something else for another choice of filters. */
  readonly filtered: ReadonlySet<string>;
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
  readonly filtersOf: (row: DashboardRow) => readonly DashboardFilter[];
}

export interface PublicBatchRequest {
  /** Default: all widgets with data that the link shows. */
  readonly widgetIds: readonly string[] | undefined;
  /** As in `WidgetViewer`. */
  readonly inputRefusal: string | null;
  /** As in `BatchRequest`. */
  readonly filter?: FilterTexts | undefined;
  /** After so many milliseconds, and as soon as anything is there, what is not is `pending`. Default: all that is asked for is awaited. */
  readonly waitMs?: number | undefined;
}

/**
 * Answers of share links: one upstream query per widget and interval, however many people look on and whichever widgets they
 * ask for together. Whoever asks while a widget is computed waits for that widget, and for no other. The computation is nobody's own,
 * so it does not end when one viewer leaves.
 */
export class PublicBatch {
  readonly #batch: WidgetBatch;
  readonly #clock: Clock;
  readonly #inputStamp: PublicBatchDeps['inputStamp'];
  readonly #filtersOf: PublicBatchDeps['filtersOf'];
  readonly #plans = new LRUCache<string, Plan>({ max: PLANS_MAX });
  readonly #entries = new LRUCache<string, Entry>({ max: ITEMS_MAX, maxSize: CHARS_MAX });
  /** Whole answers by what they show: viewers who look at the same page ask for the same widgets. */
  readonly #joined = new LRUCache<string, JoinedAnswer>({ max: JOINED_MAX });

  constructor({ batch, clock, inputStamp, filtersOf }: PublicBatchDeps) {
    this.#filtersOf = filtersOf;
    this.#batch = batch;
    this.#clock = clock;
    this.#inputStamp = inputStamp;
  }

  /** `VALIDATION_ERROR` for widgets that are not there, and for choices that the filters do not have. */
  async run(row: DashboardRow, request: PublicBatchRequest): Promise<PublicAnswer> {
    const plan = this.#planOf(row, request);
    const chosen = JSON.stringify(chosenTexts(this.#filtersOf(row), request.filter ?? {}));
    const state = plan.inputs.size === 0 ? '' : await this.#stateOf(row, request);
    const key = `${plan.key} ${state} ${plan.filtered.size === 0 ? '' : chosen}`;
    const now = this.#clock.now();
    const known = this.#joined.get(key);
    if (known?.entries.every(({ until }) => until > now)) return inTime(plan, known, request);
    const keys = (id: string) =>
      `${documentKey(row)}:${plan.inputs.has(id) ? state : ''}:${plan.filtered.has(id) ? chosen : ''}:${id}`;
    const missing = plan.widgets.filter(({ id }) => (this.#entries.get(keys(id))?.until ?? 0) <= now);
    if (missing.length > 0) this.#compute(row, missing, keys, request);
    return inTime(plan, this.#join(plan, key, keys), request);
  }

  #planOf(row: DashboardRow, { widgetIds }: PublicBatchRequest): Plan {
    const asked = `${documentKey(row)} ${JSON.stringify(widgetIds)}`;
    const known = this.#plans.get(asked);
    if (known !== undefined) return known;
    const widgets = this.#batch.choose(row, { widgetIds, publicView: true });
    const inputs = widgets.filter(({ type }) => INPUT_TYPES.has(type)).map(({ id }) => id);
    const key = `${documentKey(row)} ${JSON.stringify(widgets.map(({ id }) => id))}`;
    const filtered = widgets.filter(({ readsFilter }) => readsFilter).map(({ id }) => id);
    const plan = { key, widgets, inputs: new Set(inputs), filtered: new Set(filtered) };
    if (asked.length <= ASKED_CHARS_MAX) this.#plans.set(asked, plan);
    return plan;
  }

  /** Changes with what was last sent in: nobody is shown what was there before. */
  async #stateOf(row: DashboardRow, { inputRefusal }: PublicBatchRequest): Promise<string> {
    return `${inputRefusal === null ? 'open' : 'closed'}/${await this.#inputStamp(row)}`;
  }

  /** One of those who wait has the texts joined and hashed. */
  #join(plan: Plan, key: string, keys: KeyOf): JoinedAnswer {
    const used = plan.widgets.map(({ id }) => this.#entries.get(keys(id)) ?? NOTHING_COMPUTED);
    const answer = Promise.all(used.map(({ text }) => text)).then((texts) => answerOf(plan, texts));
    const made = { entries: used, answer };
    this.#joined.set(key, made);
    return made;
  }

  #compute(
    row: DashboardRow,
    widgets: readonly KnownWidget[],
    keys: KeyOf,
    { inputRefusal, filter }: PublicBatchRequest,
  ): void {
    const request = { widgetIds: widgets.map(({ id }) => id), publicView: true, inputRefusal, filter };
    const begunAt = this.#clock.now();
    const texts = beginItems(this.#batch, row, request);
    for (const widget of widgets) {
      const text = texts.get(widget.id) ?? NOTHING_COMPUTED.text;
      this.#keep(keys(widget.id), widget, text.then(publicItem), begunAt);
    }
  }

  /** The entry of a widget that is computed since `begunAt`. */
  #keep(key: string, widget: KnownWidget, text: Promise<string>, begunAt: number): void {
    const entry: Entry = { text, made: null, until: Number.POSITIVE_INFINITY };
    this.#entries.delete(key);
    this.#entries.set(key, entry, { size: 1 });
    text.then(
      (made) => {
        entry.made = made;
        this.#settle(key, entry, begunAt + keptMs(widget, made));
      },
      () => {
        entry.until = 0;
        if (this.#entries.peek(key) === entry) this.#entries.delete(key);
      },
    );
  }

  /** An interval is counted from the beginning: whoever polls finds a slow widget renewed at each turn, and not at every other. */
  #settle(key: string, entry: Entry, until: number): void {
    if (this.#entries.peek(key) !== entry) return;
    const now = this.#clock.now();
    entry.until = Math.max(until, now + KEPT_MS_MIN);
    // A value that stays the same would keep its size.
    this.#entries.delete(key);
    this.#entries.set(key, entry, { size: entry.made?.length || 1, ttl: entry.until - now });
    this.#entries.purgeStale();
  }
}

const NOTHING_COMPUTED: Entry = { ...NOTHING_BEGUN, until: 0 };
const ERROR = JSON.stringify({ error: NO_DATA });

type KeyOf = (widgetId: string) => string;

/** The whole answer where it is there in time, else what is; but not before there is something. */
async function inTime(
  plan: Plan,
  { entries, answer }: JoinedAnswer,
  { waitMs }: PublicBatchRequest,
): Promise<PublicAnswer> {
  if (waitMs !== undefined) await untilSome(entries, waitMs);
  if (waitMs === undefined || entries.every(({ made }) => made !== null)) return answer;
  return answerOf(
    plan,
    entries.map(({ made }) => made ?? PENDING),
  );
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
