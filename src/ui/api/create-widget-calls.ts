import type { FilterTexts } from './dashboard-payload.ts';
import { post } from './request.ts';
import type { RowsQuery, SubmitAnswer, WidgetCalls } from './widget-calls.ts';

interface WidgetCallsOptions {
  /** Before `/{widget}/…`. */
  readonly base: string;
  ask<T>(url: string, init: RequestInit): Promise<T>;
  /** What was chosen of the dashboard's filters: rows and files are limited by it. */
  readonly filter: FilterTexts;
  /** For a check that runs while somebody types: whatever comes back, the page stays as it is. Default: `ask`. */
  askQuietly?<T>(url: string, init: RequestInit): Promise<T>;
}

/** The calls for single widgets of one dashboard. */
export function createWidgetCalls({ base, ask, filter, askQuietly = ask }: WidgetCallsOptions): WidgetCalls {
  const at = (widgetId: string, use: string) => `${base}/${encodeURIComponent(widgetId)}/${use}`;
  return {
    options: (widgetId, body, signal) => ask(at(widgetId, 'options'), post(body, signal)),
    submit: (widgetId, body, signal) => {
      const call = body.dry_run === true ? askQuietly<SubmitAnswer> : ask<SubmitAnswer>;
      return call(at(widgetId, 'submit'), post(body, signal));
    },
    act: (widgetId, input, pressKey) => {
      const init = post({ input });
      return ask(at(widgetId, 'action'), {
        ...init,
        headers: { ...init.headers, 'idempotency-key': pressKey },
      });
    },
    rows: (widgetId, { cursor, limit, ...query }, signal) =>
      ask(
        at(widgetId, 'rows'),
        post(
          { page: { cursor, limit }, ...query, search: query.search || null, ...filterOf(filter) },
          signal,
        ),
      ),
    exportUrl: (widgetId, format, query) => `${at(widgetId, 'export')}?${exportQuery(format, query, filter)}`,
  };
}

/** The part of a request that says what was chosen; nothing where nothing was. */
export function filterOf(filter: FilterTexts): { readonly filter?: FilterTexts } {
  return Object.keys(filter).length === 0 ? {} : { filter };
}

function exportQuery(format: string, { sort, search, filters }: RowsQuery, filter: FilterTexts): string {
  const query = new URLSearchParams({ format });
  if (sort !== null) query.set('sort', sort);
  if (search !== '') query.set('search', search);
  if (Object.keys(filters).length > 0) query.set('filters', JSON.stringify(filters));
  if (Object.keys(filter).length > 0) query.set('filter', JSON.stringify(filter));
  return query.toString();
}
