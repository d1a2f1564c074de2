import { AppError } from '../base/errors.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import type { ConnectorCall } from '../language/dashboard/widgets/widget-binding.ts';
import {
  type SharedQueryInput,
  TOO_MUCH_TO_SHARE,
  type WidgetAnswer,
} from '../threads/messages/widget-calls.ts';
import { findWidget } from './find-widget.ts';
import { readerMessageOf } from './reader-message.ts';
import { readyCall, runCall } from './ready-call.ts';
import type { WidgetKit } from './widget-kit.ts';

/** Longest JSON of a widget's own call that is handed to others which make the same: less than any answer may have. */
const handedOnCharsMax = 4_000_000;

/** The result of one shared query, or of the own call of a widget before its `transform_expr`, under a scope. */
export async function sharedQuery(
  kit: WidgetKit,
  input: SharedQueryInput,
  signal: AbortSignal,
): Promise<WidgetAnswer> {
  const document = kit.documents.of(input);
  const query = queryOf(document, input);
  try {
    const call = await readyCall(kit, document, query, input.profile, input);
    const json = JSON.stringify((await runCall(kit, call, signal)) ?? null);
    return input.widgetId !== undefined && json.length > handedOnCharsMax ? TOO_MUCH_TO_SHARE : { json };
  } catch (error) {
    return { error: readerMessageOf(error) };
  }
}

function queryOf(document: Dashboard, { name, widgetId }: SharedQueryInput): ConnectorCall {
  const { shared_queries } = document;
  if (widgetId !== undefined) {
    const widget = findWidget(document, { widgetId, publicView: false });
    if (widget.binding.kind === 'call') return widget.binding.call;
    throw new AppError('NOT_FOUND', `The widget "${widgetId}" makes no call`);
  }
  const query = Object.hasOwn(shared_queries, name) ? shared_queries[name] : undefined;
  if (query === undefined) throw new AppError('NOT_FOUND', `There is no shared query "${name}"`);
  return query;
}
