import type { Widget } from '../language/dashboard/pages.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import { payloadOf } from '../language/dashboard/widgets/widget-kinds.ts';
import type { WidgetAnswer, WidgetInput } from '../threads/messages/widget-calls.ts';
import { explorerPage, firstPage } from './explorer/explorer-page.ts';
import { findWidget, isVisible } from './find-widget.ts';
import { inputWidgetPayload } from './input-widget.ts';
import { readerMessageOf } from './reader-message.ts';
import { widgetData } from './widget-data.ts';
import type { WidgetKit } from './widget-kit.ts';

/**
 * A widget's payload, `{"hidden": true}` where its `visible_if_expr` says so, or an error for its reader. Rejects where the view has
 * no such widget.
 */
export async function computeWidget(
  kit: WidgetKit,
  input: WidgetInput,
  signal: AbortSignal,
): Promise<WidgetAnswer> {
  const document = kit.documents.of(input);
  const widget = findWidget(document, input);
  try {
    if (!(await isVisible(kit, widget, { ...input.context }))) return { json: '{"hidden":true}' };
    return { json: JSON.stringify((await widgetPayload(kit, document, widget, input, signal)) ?? null) };
  } catch (error) {
    return { error: readerMessageOf(error) };
  }
}

async function widgetPayload(
  kit: WidgetKit,
  document: Dashboard,
  widget: Widget,
  input: WidgetInput,
  signal: AbortSignal,
): Promise<unknown> {
  if (widget.type === 'explorer')
    return explorerPage(kit, document, widget, input, firstPage(widget), signal);
  const form = await inputWidgetPayload(kit, widget, input);
  if (form !== undefined) return form;
  const data = await widgetData(kit, document, widget, input, signal);
  return payloadOf(widget, data, { ...input.context }, kit.expressions);
}
