import { readNumber } from '../kit/numbers/typed-number.ts';
import { listIn, type WidgetConfig } from '../kit/widget/widget-config.ts';
import type { InputWords } from '../texts/en/widgets/inputs.ts';

export type FilterType = 'text' | 'number' | 'boolean' | 'date';

/** A column that readers may filter by. */
export interface FilterSpec {
  readonly key: string;
  readonly label: string;
  readonly type: FilterType;
}

/** The text typed into a filter: `text`, the `from` and `to` of a range, or the `is` of a boolean. */
export interface FilterDraft {
  readonly text?: string;
  readonly from?: string;
  readonly to?: string;
  readonly is?: string;
}

export type FilterDrafts = Readonly<Record<string, FilterDraft>>;

const dayMs = 86_400_000;

/** The filters that the dashboard's author offers. */
export function readFilters(config: WidgetConfig): readonly FilterSpec[] {
  return listIn(config, 'filters').map((filter) => {
    const { key, label, type } = filter;
    const known = type === 'number' || type === 'boolean' || type === 'date' ? type : 'text';
    return { key: String(key), label: String(label ?? key), type: known };
  });
}

/** The conditions to send. A filter that is empty, or not a valid date yet, is left out; so is one that `isUnread`. */
export function conditionsOf(specs: readonly FilterSpec[], drafts: FilterDrafts): Record<string, unknown> {
  const conditions: Record<string, unknown> = {};
  for (const { key, type } of specs) {
    const condition = conditionOf(type, drafts[key] ?? {});
    if (condition !== null) conditions[key] = condition;
  }
  return conditions;
}

function conditionOf(type: FilterType, { text = '', from = '', to = '', is = '' }: FilterDraft): unknown {
  switch (type) {
    case 'text':
      return text.trim() === '' ? null : { contains: text.trim() };
    case 'boolean':
      return is === '' ? null : { eq: is === 'true' };
    case 'number':
      return rangeOf({ gte: numberOf(from), lte: numberOf(to) });
    case 'date':
      // Includes the whole last day, whether the column holds dates or timestamps.
      return rangeOf({ gte: dayOf(from, 0), lt: dayOf(to, dayMs) });
    default:
      return type satisfies never;
  }
}

function rangeOf(bounds: Readonly<Record<string, unknown>>): unknown {
  const given = Object.entries(bounds).filter(([, bound]) => bound !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
}

function numberOf(text: string): number | string | null {
  const read = readNumber(text);
  return read.kind === 'number' ? read.value : null;
}

/** Whether what is typed into a filter of numbers is left out, since it is not a number. */
export function isUnread({ type }: FilterSpec, text: string): boolean {
  return type === 'number' && readNumber(text).kind === 'wrong';
}

function dayOf(text: string, afterMs: number): string | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at + afterMs).toISOString().slice(0, 10);
}

/** Where a page is among all rows. */
export interface RowsPlace {
  /** Rows on the pages before. */
  readonly before: number;
  readonly shown: number;
  readonly hasMore: boolean;
  /** Undefined when unknown. */
  readonly total: number | undefined;
}

/** The position of a page among all rows, in words. */
export function rangeInWords(
  { explorer: words }: InputWords,
  { before, shown, hasMore, total }: RowsPlace,
  count: (value: number) => string,
): string {
  if (shown === 0) return words.none;
  if (before === 0 && !hasMore) return words.records(shown, count(shown));
  const [first, last] = [count(before + 1), count(before + shown)];
  return total === undefined ? words.range(first, last) : words.rangeOf(first, last, count(total));
}
