import {
  FILTER_OPTIONS,
  type FilterOptionsWidget,
  optionsPayload,
} from '../language/dashboard/filters/filter-options.ts';
import type { Widget } from '../language/dashboard/pages.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import { payloadOf } from '../language/dashboard/widgets/widget-kinds.ts';
import type { WidgetInput, WidgetsInput } from '../threads/messages/widget-calls.ts';
import type { EmitPart } from '../threads/serve-calls.ts';
import { CallReads } from './call-reads.ts';
import { explorerPage, firstPage } from './explorer/explorer-page.ts';
import { findReadable, isVisible } from './find-widget.ts';
import { inputWidgetPayload } from './input-widget.ts';
import { readerMessageOf } from './reader-message.ts';
import { widgetData } from './widget-data.ts';
import type { WidgetKit } from './widget-kit.ts';

/** The types that do not read their call as a whole: an explorer reads a page in the connector, an input shows what is saved. */
const OWN_READERS: readonly string[] = ['explorer', 'form', 'field_mapping', 'action'];

/**
 * The items of widgets, one after another: `{"data": payload}`, with the payload `{"hidden": true}` where its `visible_if_expr`
 * says so, or `{"error": message}` for its reader. Parts and answer are those of `Calls.widgets`. Rejects where the view has no
 * such widget.
 */
export async function computeWidgets(
  kit: WidgetKit,
  { widgets: asked, ...source }: WidgetsInput,
  signal: AbortSignal,
  emit: EmitPart,
): Promise<string> {
  const document = kit.documents.of(source);
  const reads = new CallReads(kit, document, source, signal);
  const widgets = asked.map((own) => ({
    widget: findReadable(document, { ...own, publicView: source.publicView }),
    input: { ...source, ...own },
  }));
  const last = widgets.pop();
  if (last === undefined) return '';
  if (widgets.length > 0) {
    const readers = [...widgets, last].filter(({ widget }) => !OWN_READERS.includes(widget.type));
    // A failure is the error of each of them.
    await Promise.allSettled(readers.map(({ widget }) => reads.of(widget)));
    signal.throwIfAborted();
    emit('');
  }
  const itemOf = async ({ widget, input }: typeof last): Promise<string> => {
    try {
      if (!(await isVisible(kit, widget, { ...source.context }))) return '{"data":{"hidden":true}}';
      const payload = await widgetPayload(kit, document, widget, input, reads, signal);
      return `{"data":${JSON.stringify(payload ?? null)}}`;
    } catch (error) {
      return `{"error":${JSON.stringify(readerMessageOf(error))}}`;
    }
  };
  for (const each of widgets) emit(await itemOf(each));
  return itemOf(last);
}

async function widgetPayload(
  kit: WidgetKit,
  document: Dashboard,
  widget: Widget | FilterOptionsWidget,
  input: WidgetInput,
  reads: CallReads,
  signal: AbortSignal,
): Promise<unknown> {
  if (widget.type === FILTER_OPTIONS) {
    const { config } = widget;
    const data = await widgetData(kit, widget, input, reads);
    return optionsPayload({ config, data, scope: { ...input.context }, expressions: kit.expressions });
  }
  if (widget.type === 'explorer')
    return explorerPage(kit, document, widget, input, firstPage(widget), signal);
  const form = await inputWidgetPayload(kit, widget, input);
  if (form !== undefined) return form;
  const data = await widgetData(kit, widget, input, reads);
  return payloadOf(widget, data, { ...input.context }, kit.expressions);
}
