import { type Problem, validationError } from '../../base/errors.ts';
import { canonicalJson, isRecord } from '../../base/json.ts';
import { optionsWidgets } from '../../language/dashboard/filters/filter-options.ts';
import type { Widget } from '../../language/dashboard/pages.ts';
import type { Dashboard } from '../../language/dashboard/parse-dashboard.ts';
import { profileOf, type ScopeProfile } from '../../language/dashboard/scope-profile.ts';
import type { ConnectorCall } from '../../language/dashboard/widgets/widget-binding.ts';
import type { WidgetBase } from '../../language/dashboard/widgets/widget-kind.ts';

/** What the control plane needs to know of a widget before it is computed. */
export interface KnownWidget {
  readonly id: string;
  readonly type: string;
  readonly title: string | null;
  /** On a private page, or an action that strangers may not start. */
  readonly hidden: boolean;
  readonly hasData: boolean;
  /** Shows the job's latest task runs. */
  readonly readsRuns: boolean;
  /** May show something else for another choice of the dashboard's filters. */
  readonly readsFilter: boolean;
  /** Its own interval, else the dashboard's; null for neither. */
  readonly refreshSeconds: number | null;
  /** Has a `visible_if_expr`. */
  readonly conditional: boolean;
  /** The name of the connector that its data comes from, by its own call or its shared query; null where it has none. */
  readonly connector: string | null;
  /** That one, and the one that it calls when it is used. */
  readonly connectors: readonly string[];
  /** What limits its reads; null for nothing. */
  readonly scope: ScopeProfile | null;
  /** Equal for widgets that read the very same as a whole; null for those that read nothing, or in their own way. */
  readonly readKey: string | null;
  /** The keys of its type, as they stand. */
  readonly config: Readonly<Record<string, unknown>>;
}

type TypedWidget = WidgetBase & { readonly type: string };

/** An explorer reads a page in the connector itself, and an input shows what is saved. */
const OWN_READERS: readonly string[] = ['explorer', 'form', 'field_mapping', 'action'];

/** The widgets of all pages, and the choices of filters. */
export function listWidgets(document: Dashboard): KnownWidget[] {
  const widgets = document.pages.flatMap((page) =>
    page.widgets.map((widget) => ({
      id: widget.id,
      type: widget.type,
      title: widget.title,
      hidden: !page.public || (widget.type === 'action' && widget.config['allow_public'] !== true),
      hasData: widget.type !== 'heading',
      readsRuns: readsRuns(widget),
      refreshSeconds: widget.refresh_interval_seconds ?? document.refresh_interval_seconds,
      conditional: widget.visible_if_expr !== null,
      connector: callOf(document, widget)?.connector ?? null,
      connectors: connectorsOf(document, widget),
      scope: profileOf(document, widget),
      readKey: readKeyOf(document, widget),
      config: widget.config,
      readsFilter: readsFilter(document, widget),
    })),
  );
  const options = optionsWidgets(document.filters).map((widget) => ({
    id: widget.id,
    type: widget.type,
    title: null,
    hidden: false,
    // Given to those who ask for it by its id.
    hasData: false,
    readsRuns: false,
    refreshSeconds: document.refresh_interval_seconds,
    conditional: false,
    connector: callOf(document, widget)?.connector ?? null,
    connectors: connectorsOf(document, widget),
    scope: profileOf(document, widget),
    readKey: readKeyOf(document, widget),
    config: widget.config,
    readsFilter: readsFilter(document, widget),
  }));
  return [...widgets, ...options];
}

/** By the name alone: a widget that only seems to is kept once per choice. */
function readsFilter(document: Dashboard, { binding, visible_if_expr, config }: WidgetBase): boolean {
  const call = callOf(document, { binding });
  return JSON.stringify([call, binding, visible_if_expr, config]).includes('filter');
}

/** The call that gives a widget's data: its own, or that of its shared query. */
function callOf(
  { shared_queries }: Dashboard,
  { binding }: Pick<WidgetBase, 'binding'>,
): ConnectorCall | null {
  if (binding.kind === 'call') return binding.call;
  if (binding.kind !== 'shared_query' || !Object.hasOwn(shared_queries, binding.name)) return null;
  return shared_queries[binding.name] ?? null;
}

function readKeyOf(document: Dashboard, widget: TypedWidget): string | null {
  const call = OWN_READERS.includes(widget.type) ? null : callOf(document, widget);
  return call === null ? null : canonicalJson([call, profileOf(document, widget)?.name ?? null]);
}

function connectorsOf(document: Dashboard, widget: WidgetBase): readonly string[] {
  const { run } = widget.config;
  const called = isRecord(run) ? run['connector'] : undefined;
  return [callOf(document, widget)?.connector, called].filter((name) => typeof name === 'string');
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

function readsRuns({ type, binding }: Widget): boolean {
  return type === 'task_progress' || (binding.kind === 'source' && binding.source === 'runs');
}
