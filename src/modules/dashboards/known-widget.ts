import { type Problem, validationError } from '../../base/errors.ts';
import type { DashboardDocument } from '../../threads/messages.ts';

/** What a batch needs to know of a widget before it is computed. */
export interface KnownWidget {
  readonly id: string;
  readonly type: string;
  /** On a private page, or an action that strangers may not start. */
  readonly hidden: boolean;
  readonly hasData: boolean;
  readonly sharedQuery: string | null;
  /** Shows the job's latest task runs. */
  readonly readsRuns: boolean;
  /** Its own interval, else the dashboard's; null for neither. */
  readonly refreshSeconds: number | null;
}

export function listWidgets(document: DashboardDocument): KnownWidget[] {
  return document.pages.flatMap((page) =>
    page.widgets.map((widget) => ({
      id: widget.id,
      type: widget.type,
      hidden: !page.public || (widget.type === 'action' && widget.config['allow_public'] !== true),
      hasData: widget.type !== 'heading',
      sharedQuery: textIn(widget.binding, 'name'),
      readsRuns: widget.type === 'task_progress' || textIn(widget.binding, 'source') === 'runs',
      refreshSeconds: widget.refresh_interval_seconds ?? document.refresh_interval_seconds,
    })),
  );
}

/**
 * The widgets of a request: those with data where it names none. `VALIDATION_ERROR` names every id that is not there; in the
 * public view a hidden widget is not there, in the same words.
 */
export function chooseWidgets(
  widgets: readonly KnownWidget[],
  widgetIds: readonly string[] | undefined,
  publicView: boolean,
): readonly KnownWidget[] {
  const visible = publicView ? widgets.filter((widget) => !widget.hidden) : widgets;
  if (widgetIds === undefined) return visible.filter((widget) => widget.hasData);
  const byId = new Map(visible.map((widget) => [widget.id, widget]));
  const problems: Problem[] = [];
  const chosen = new Map<string, KnownWidget>();
  for (const [index, id] of widgetIds.entries()) {
    const widget = byId.get(id);
    if (widget !== undefined) chosen.set(id, widget);
    else problems.push({ path: `widget_ids[${index}]`, message: `The dashboard has no widget "${id}"` });
  }
  if (problems.length > 0) throw validationError(problems);
  return [...chosen.values()];
}

function textIn(map: object, key: string): string | null {
  const value = (map as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : null;
}
