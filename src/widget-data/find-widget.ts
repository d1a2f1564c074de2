import { AppError } from '../base/errors.ts';
import { type FilterOptionsWidget, optionsWidgets } from '../language/dashboard/filters/filter-options.ts';
import type { Widget } from '../language/dashboard/pages.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import { isPublicWidget } from '../language/dashboard/public-projection.ts';
import type { WidgetBase } from '../language/dashboard/widgets/widget-kind.ts';
import type { Scope } from '../language/expression/expression.ts';
import type { WidgetKit } from './widget-kit.ts';

export interface WidgetChoice {
  readonly widgetId: string;
  /** Private pages and actions are not found. */
  readonly publicView: boolean;
}

/** Throws `NOT_FOUND` where the view has no such widget. */
export function findWidget(document: Dashboard, { widgetId, publicView }: WidgetChoice): Widget {
  for (const page of document.pages) {
    for (const widget of page.widgets) {
      if (widget.id !== widgetId) continue;
      if (!publicView || (page.public && isPublicWidget(widget))) return widget;
    }
  }
  throw noWidget(widgetId);
}

/** As `findWidget`, or the choices of a filter. */
export function findReadable(document: Dashboard, choice: WidgetChoice): Widget | FilterOptionsWidget {
  const options = optionsWidgets(document.filters).find(({ id }) => id === choice.widgetId);
  return options ?? findWidget(document, choice);
}

/** By its `visible_if_expr`. */
export async function isVisible(kit: WidgetKit, widget: WidgetBase, scope: Scope): Promise<boolean> {
  if (widget.visible_if_expr === null) return true;
  const value = await kit.expressions.of(widget.visible_if_expr).evaluate(scope);
  return Array.isArray(value) ? value.some(Boolean) : Boolean(value);
}

/** As `findWidget`; one that is hidden now cannot be used, and so is not found either. */
export async function findUsableWidget(
  kit: WidgetKit,
  document: Dashboard,
  choice: WidgetChoice,
  scope: Scope,
): Promise<Widget> {
  const widget = findWidget(document, choice);
  if (!(await isVisible(kit, widget, scope))) throw noWidget(choice.widgetId);
  return widget;
}

function noWidget(id: string): AppError {
  return new AppError('NOT_FOUND', `There is no widget "${id}"`);
}
