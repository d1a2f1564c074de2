import type { ApiProblem } from './api-error.ts';

/** The calls for a single widget, the same for every kind of viewer. Every failure is an `ApiError`. */
export interface WidgetCalls {
  /** A page of options for a form's field, a side of a mapping or an action's input. */
  options(widgetId: string, request: OptionsRequest, signal?: AbortSignal): Promise<OptionsPage>;
  /** Saves a form or a mapping, or only checks it. Status 412: somebody else has saved since `version`. */
  submit(widgetId: string, request: SubmitRequest, signal?: AbortSignal): Promise<SubmitAnswer>;
  /** Runs an action. The same `pressKey` never runs it twice. */
  act(widgetId: string, input: Readonly<Record<string, unknown>>, pressKey: string): Promise<ActionAnswer>;
  /** A page of an explorer or a table. */
  rows(widgetId: string, request: RowsRequest, signal?: AbortSignal): Promise<RowsAnswer>;
  /** URL of a file with the same rows, including all pages. */
  exportUrl(widgetId: string, format: 'csv' | 'ndjson', query: RowsQuery): string;
}

export interface OptionsRequest {
  /** `source` or `target` of a mapping, or the key of a field. */
  readonly side: string;
  readonly q?: string;
  readonly cursor?: string;
  /** The draft that dependent options are based on. */
  readonly value?: unknown;
}

export interface Option {
  readonly label: string;
  readonly value: string;
  readonly subText?: string;
}

export interface OptionsPage {
  readonly options: readonly Option[];
  readonly next_cursor: string | null;
}

export interface SubmitRequest {
  readonly value: unknown;
  readonly version?: number;
  readonly dry_run?: boolean;
}

export interface SubmitAnswer {
  readonly saved: boolean;
  readonly problems: readonly ApiProblem[];
  /** Keys of the fields that are hidden for this value. */
  readonly hidden: readonly string[];
  readonly value: unknown;
  readonly version: number;
}

export interface ActionAnswer {
  readonly outcome: 'started' | 'done';
  readonly message: string | null;
  readonly cooldown_until: string | null;
}

/** Which rows, and in which order. */
export interface RowsQuery {
  /** `key` ascending, `-key` descending; null for the author's order. */
  readonly sort: string | null;
  readonly search: string;
  /** Conditions per column: `{"city": {"contains": "Bonn"}, "age": {"gte": 18}}`. */
  readonly filters: Readonly<Record<string, unknown>>;
}

export interface RowsRequest extends RowsQuery {
  readonly cursor: string | null;
  readonly limit: number;
}

export interface RowsAnswer {
  readonly columns: readonly unknown[];
  readonly rows: readonly unknown[];
  readonly next_cursor: string | null;
  readonly total?: number;
}
