import type { FilterTexts } from '../../language/dashboard/filters/filter-values.ts';
import type { RowsPage, WidgetRowsInput } from '../../threads/messages/widget-calls.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import type { KnownWidget } from './known-widget.ts';
import { readOwnInputs } from './widget-inputs.ts';
import { openWidgetSource, sourceFor } from './widget-source.ts';
import {
  type RowsRequest,
  requireType,
  type WidgetReadDeps,
  type WidgetService,
  type WidgetViewer,
} from './widget-viewer.ts';

export const ROW_TYPES: readonly string[] = ['table', 'explorer'];
const ROWS_PER_PAGE_MAX = 200;
const ROWS_PER_PAGE_DEFAULT = 50;

/** Pages of tables and explorers. */
export function createWidgetRows(deps: WidgetReadDeps): WidgetService['rows'] {
  return async (row, widgetId, request, viewer) => {
    const widget = deps.documents.widget(row, widgetId, viewer.publicView);
    requireType(widget, ROW_TYPES, 'has rows');
    const limit = Math.min(request.limit ?? defaultLimit(widget), ROWS_PER_PAGE_MAX);
    const page = { ...rowsPage(request, limit), cursor: request.cursor ?? null };
    const input = await rowsInput(deps, row, widget, page, viewer, request.filter);
    const options = { signal: viewer.signal, timeoutMs: deps.limits.answerMsMax };
    return deps.pool.run({ kind: 'widget_rows', input }, options);
  };
}

export function rowsPage(request: Omit<RowsRequest, 'limit' | 'cursor' | 'filter'>, limit: number): RowsPage {
  return {
    limit,
    cursor: null,
    sort: request.sort || null,
    search: request.search || null,
    filters: request.filters ?? {},
  };
}

/** All that the worker host needs for a page. */
export async function rowsInput(
  deps: WidgetReadDeps,
  row: DashboardRow,
  widget: KnownWidget,
  page: RowsPage,
  { publicView, inputRefusal }: WidgetViewer,
  filter?: FilterTexts,
): Promise<WidgetRowsInput> {
  const opened = await openWidgetSource(deps, row, [widget], filter);
  const own = await readOwnInputs(deps, opened, [widget], inputRefusal);
  return { ...sourceFor(opened, [widget]), ...own(widget), publicView, page };
}

function defaultLimit({ config }: KnownWidget): number {
  const own = config['page_size'] ?? config['limit'];
  return typeof own === 'number' ? own : ROWS_PER_PAGE_DEFAULT;
}
