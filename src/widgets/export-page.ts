import { AppError } from '../base/errors.ts';
import type { Answer, Input } from '../threads/messages.ts';
import { exportText } from './export-text.ts';
import { findUsableWidget } from './find-widget.ts';
import { pageOfWidget } from './rows-page.ts';
import type { WidgetKit } from './widget-kit.ts';

const PAGE_ROWS = 1_000;

/** One piece of an export, up to 1,000 rows; a `VALIDATION_ERROR` where the widget has no `export: true`. */
export async function exportPage(
  kit: WidgetKit,
  input: Input<'widget_export'>,
  signal: AbortSignal,
): Promise<Answer<'widget_export'>> {
  const document = kit.documents.of(input);
  const widget = await findUsableWidget(kit, document, input, { ...input.context });
  if (widget.config['export'] !== true) {
    throw new AppError(
      'VALIDATION_ERROR',
      `The widget "${widget.id}" offers no export; its author can with "export: true"`,
    );
  }
  const asked = { ...input.page, limit: PAGE_ROWS };
  const page = await pageOfWidget(kit, document, widget, input, asked, signal);
  return {
    text: exportText(page, input.format, input.page.cursor === null),
    rows: page.rows.length,
    next_cursor: page.next_cursor,
  };
}
