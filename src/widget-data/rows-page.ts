import { AppError } from '../base/errors.ts';
import type { Widget } from '../language/dashboard/pages.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import type { RowsPage, WidgetInput, WidgetRowsInput } from '../threads/messages/widget-calls.ts';
import { explorerPage, type RowsAnswer } from './explorer/explorer-page.ts';
import { findUsableWidget } from './find-widget.ts';
import { tableRows } from './table-rows.ts';
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
