import { AppError, notFound } from '../../base/errors.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import type { KnownWidget } from './known-widget.ts';
import { readOwnInputs } from './widget-inputs.ts';
import { openWidgetSource } from './widget-source.ts';
import type { WidgetReadDeps } from './widget-use.ts';
import type { WidgetViewer } from './widget-viewer.ts';

/** What the worker host gives for a widget that its `visible_if_expr` hides. */
const HIDDEN = '{"hidden":true}';

/**
 * `NOT_FOUND` where a widget's `visible_if_expr` hides it now: what is not shown cannot be used. For uses that do not go through the
 * widget in the worker host anyway.
 */
export async function requireVisible(
  deps: WidgetReadDeps,
  row: DashboardRow,
  widget: KnownWidget,
  { publicView, inputRefusal, signal }: WidgetViewer,
): Promise<void> {
  if (!widget.conditional) return;
  const opened = await openWidgetSource(deps, row);
  const own = await readOwnInputs(deps, opened, [widget], inputRefusal);
  const input = { ...opened.source, ...own(widget), widgetId: widget.id, publicView, shared: {} };
  const options = { signal, timeoutMs: deps.limits.answerMsMax };
  const answer = await deps.pool.run({ kind: 'widget', input }, options);
  if ('error' in answer) throw new AppError('UNPROCESSABLE', answer.error);
  if (answer.json === HIDDEN) throw notFound('widget', widget.id);
}
