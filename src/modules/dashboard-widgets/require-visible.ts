import { AppError, notFound } from '../../base/errors.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import type { KnownWidget } from './known-widget.ts';
import { readOwnInputs } from './widget-inputs.ts';
import { openWidgetSource, sourceFor } from './widget-source.ts';
import type { WidgetReadDeps, WidgetViewer } from './widget-viewer.ts';

/** What the worker host gives for a widget that its `visible_if_expr` hides. */
const HIDDEN = '{"data":{"hidden":true}}';

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
  const opened = await openWidgetSource(deps, row, [widget]);
  const own = await readOwnInputs(deps, opened, [widget], inputRefusal);
  const input = { ...sourceFor(opened, [widget]), publicView, widgets: [own(widget)] };
  const options = { signal, timeoutMs: deps.limits.answerMsMax };
  const item = await deps.pool.run({ kind: 'widgets', input }, options);
  if (item === HIDDEN) throw notFound('widget', widget.id);
  const { error } = JSON.parse(item) as { readonly error?: string };
  if (error !== undefined) throw new AppError('UNPROCESSABLE', error);
}
