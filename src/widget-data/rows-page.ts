import { AppError, validationError } from '../base/errors.ts';
import type { Widget } from '../language/dashboard/pages.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import { columnViews } from '../language/dashboard/widgets/rows/row-columns.ts';
import { tablePage } from '../language/dashboard/widgets/rows/table-page.ts';
import { authorSort } from '../language/dashboard/widgets/rows/table-widget.ts';
import type { RowsPage, WidgetInput, WidgetRowsInput } from '../threads/messages/widget-calls.ts';
import { CallReads } from './call-reads.ts';
import { boundCursor, offsetOf, placeAfter } from './explorer/bound-cursor.ts';
import { explorerPage, type RowsAnswer } from './explorer/explorer-page.ts';
import { filterProblems } from './explorer/viewer-filters.ts';
import { searchProblems, searchText } from './explorer/viewer-search.ts';
import { findUsableWidget } from './find-widget.ts';
import { widgetData } from './widget-data.ts';
import type { WidgetKit } from './widget-kit.ts';

const PAGE_ROWS_MAX = 10_000;

/** A page of a table or an explorer, and the widget that it is of. Any other type is a `VALIDATION_ERROR`. */
export async function rowsPage(
  kit: WidgetKit,
  input: WidgetRowsInput,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  const document = kit.documents.of(input);
  const widget = await findUsableWidget(kit, document, input, { ...input.context });
  return pageOfWidget(kit, document, widget, input, input.page, signal);
}

/** As `rowsPage`, for a widget that was found already. */
export async function pageOfWidget(
  kit: WidgetKit,
  document: Dashboard,
  widget: Widget,
  input: WidgetInput,
  asked: RowsPage,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  const page = { ...asked, limit: Math.max(1, Math.min(asked.limit, PAGE_ROWS_MAX)) };
  switch (widget.type) {
    case 'table':
      return tableRows(kit, document, widget, input, page, signal);
    case 'explorer':
      return explorerPage(kit, document, widget, input, page, signal);
    default:
      throw new AppError(
        'VALIDATION_ERROR',
        `The widget "${widget.id}" is a ${widget.type}; only a table or an explorer has rows`,
      );
  }
}

const NO_FILTERS = new Map<string, never>();
const NO_TYPES = new Map<string, string>();

/**
 * One page of a table, from all of its data. Throws a `VALIDATION_ERROR` for a sort by a column that it does not show, a search that
 * it does not offer, or a filter.
 */
async function tableRows(
  kit: WidgetKit,
  document: Dashboard,
  widget: Widget,
  input: WidgetInput,
  page: RowsPage,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  const { config } = widget;
  const search = searchText(page.search);
  const problems = [
    ...filterProblems(page.filters, NO_FILTERS),
    ...searchProblems(search, config['searchable'] === true),
  ];
  if (problems.length > 0) throw validationError(problems);
  const data = await widgetData(kit, widget, input, new CallReads(kit, document, input, signal));
  const { documentKey, context, connectors } = input;
  // All that the data comes from: a place in other data would mean nothing.
  const cursor = boundCursor(['table', documentKey, widget.id, context, connectors, page.sort, search]);
  const offset = offsetOf(cursor.open(page.cursor));
  const found = await tablePage(
    { config, data, scope: { ...context }, expressions: kit.expressions },
    { sort: page.sort ?? authorSort(config), search, offset, limit: page.limit },
  );
  requireColumn(page.sort, found);
  return {
    columns: columnViews(found.columns, found.linkKeys, NO_TYPES),
    rows: found.rows,
    next_cursor: cursor.wrap(placeAfter(offset, page.limit, found.total)),
    total: found.total,
  };
}

function requireColumn(
  sort: string | null,
  { columns, total }: { readonly columns: readonly { readonly key: string }[]; readonly total: number },
): void {
  const key = sort?.replace(/^-/, '');
  if (key === undefined || columns.some((column) => column.key === key)) return;
  // Without rows there may be no columns to name.
  if (columns.length === 0 && total === 0) return;
  throw validationError([{ path: 'sort', message: `There is no column "${key}" to sort by` }]);
}
