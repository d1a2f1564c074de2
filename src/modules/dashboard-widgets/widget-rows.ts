import type { RowsPage, WidgetRowsInput } from '../../threads/messages/widget-calls.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import type { KnownWidget } from './known-widget.ts';
import { readOwnInputs } from './widget-inputs.ts';
import { openWidgetSource } from './widget-source.ts';
import { requireType, toldTo, type WidgetReadDeps } from './widget-use.ts';
import type { RowsRequest, WidgetUses, WidgetViewer } from './widget-viewer.ts';

export const ROW_TYPES: readonly string[] = ['table', 'explorer'];
const ROWS_PER_PAGE_MAX = 200;
const ROWS_PER_PAGE_DEFAULT = 50;

/** What strangers are told where the data cannot be read. */
export const NO_DATA = 'The data of this widget is not available right now';

/** Pages of tables and explorers. */
export function createWidgetRows(deps: WidgetReadDeps): WidgetUses['rows'] {
  return async (row, widgetId, request, viewer) => {
    const widget = deps.documents.widget(row, widgetId, viewer.publicView);
    requireType(widget, ROW_TYPES, 'has rows');
    const limit = Math.min(request.limit ?? defaultLimit(widget), ROWS_PER_PAGE_MAX);
    const page = { ...rowsPage(request, limit), cursor: request.cursor ?? null };
    return toldTo(viewer, NO_DATA, async () => {
      const input = await rowsInput(deps, row, widget, page, viewer);
      const options = { signal: viewer.signal, timeoutMs: deps.limits.answerMsMax };
      return deps.pool.run({ kind: 'widget_rows', input }, options);
    });
  };
}

export function rowsPage(request: Omit<RowsRequest, 'limit' | 'cursor'>, limit: number): RowsPage {
  return {
    limit,
    cursor: null,
    sort: request.sort || null,
    search: request.search || null,
    filters: request.filters ?? {},
  };
}

/** All that the worker host needs for a page: the shared query, where the widget reads one, has been read. */
export async function rowsInput(
  deps: WidgetReadDeps,
  row: DashboardRow,
  widget: KnownWidget,
  page: RowsPage,
  viewer: WidgetViewer,
): Promise<WidgetRowsInput> {
  const opened = await openWidgetSource(deps, row);
  const own = await readOwnInputs(deps, opened, [widget], viewer.inputRefusal);
  const { sharedQuery: name, profile } = widget;
  const options = { signal: viewer.signal, timeoutMs: deps.limits.answerMsMax };
  const shared =
    name === null
      ? {}
      : {
          [name]: await deps.pool.run(
            { kind: 'shared_query', input: { ...opened.source, name, profile } },
            options,
          ),
        };
  return {
    ...opened.source,
    ...own(widget),
    widgetId: widget.id,
    publicView: viewer.publicView,
    shared,
    page,
  };
}

function defaultLimit({ config }: KnownWidget): number {
  const own = config['page_size'] ?? config['limit'];
  return typeof own === 'number' ? own : ROWS_PER_PAGE_DEFAULT;
}
