import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import type { FilterValues } from '../../language/dashboard/filters/filter-values.ts';
import type { ScopeProfile } from '../../language/dashboard/scope-profile.ts';
import type { DocumentText } from './document-text.ts';

/** Names that a dashboard's expressions read, apart from `data`, `item` and `value`. */
export interface DashboardContext {
  readonly job: unknown;
  readonly job_config: unknown;
  readonly args: unknown;
  /** What the viewer chose, by the ids of the dashboard's filters. Left out where nobody looks at it. */
  readonly filter?: FilterValues;
}

/** Its document is the one that was stored when the dashboard was saved: variables are what they were then. */
export interface DashboardSource extends DocumentText {
  /** The names that the document uses, to the connectors of its job. */
  readonly connectors: Readonly<Record<string, ConnectorRef>>;
  /** All names of connectors of the job: a scope that limits any other cannot be applied. */
  readonly connectorNames: readonly string[];
  /** Entries of `job_config` that people with the links of the job's other dashboards may change. */
  readonly publicEntries: readonly string[];
  readonly context: DashboardContext;
}

/** One widget, and what its type needs besides its data. */
export interface WidgetOwnInput {
  readonly widgetId: string;
  /** The job's latest task runs, newest first, for `source: runs` and `task_progress`. */
  readonly runs: readonly TaskRunInfo[];
  /** For `task_progress` and `action`: the keys of the job's tasks. */
  readonly taskKeys?: readonly string[];
  /** For `form` and `field_mapping`: the entry of `job_config` that it edits; null where the job has none of that key. */
  readonly entry?: ConfigEntryInfo | null;
  /** For `action`: its latest use; null before the first. */
  readonly lastAction?: ActionInfo | null;
  /** Why the viewer may not submit or act, for people; null where they may. */
  readonly inputRefusal?: string | null;
  /** For `explorer`: the preset that its `preset` names. */
  readonly preset?: PresetInfo | null;
}

interface WidgetsSource extends DashboardSource {
  /** Seen through a share link: a widget that the public view leaves out is not found. */
  readonly publicView: boolean;
}

export interface WidgetsInput extends WidgetsSource {
  readonly widgets: readonly WidgetOwnInput[];
}

export interface WidgetInput extends WidgetsSource, WidgetOwnInput {}

export interface ConfigEntryInfo {
  readonly key: string;
  /** As the template's author wrote it: `{type, title, fields | source, target, ...}`, expressions as text. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Of the job's saved configuration. */
  readonly version: number;
}

export interface ActionInfo {
  readonly acted_at: string;
  readonly outcome: 'started' | 'done' | 'failed';
  /** RFC 3339, or null where it may act again. */
  readonly cooldown_until: string | null;
  readonly job_run_id: number | null;
  /** The status of that job run now. */
  readonly status: string | null;
}

/** A saved view of a resource; see `explorer-presets`. */
export interface PresetInfo {
  readonly name: string;
  readonly connector_id: number;
  readonly resource: string;
  readonly columns: readonly string[];
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort: readonly string[];
}

/** What an action runs, with its arguments evaluated. */
export type PreparedRun =
  | { readonly kind: 'job'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'task'; readonly task: string; readonly args: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'call';
      readonly connector: string;
      readonly method: string;
      readonly args: unknown;
      readonly fields: Readonly<Record<string, unknown>>;
    };

export interface WidgetRowsInput extends WidgetInput {
  readonly page: RowsPage;
}

/** What a viewer asks of a table or an explorer. */
export interface RowsPage {
  readonly limit: number;
  readonly cursor: string | null;
  /** `name` ascending, `-name` descending; null for the author's order. */
  readonly sort: string | null;
  readonly search: string | null;
  /** Conditions per column, in the form of `ExploreRequest.filter`. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** An option source of a `job_config` entry or of an action's input, with what its expressions read. */
export interface OptionsInput {
  /** The names that the source uses, to the connectors of its job. */
  readonly connectors: Readonly<Record<string, ConnectorRef>>;
  /** As in `DashboardSource`. */
  readonly connectorNames: readonly string[];
  readonly context: DashboardContext;
  /** The profile of the widget that asks; null for none. */
  readonly scope: ScopeProfile | null;
  /** The entry's key: its draft replaces `job_config.<key>`. */
  readonly entryKey: string;
  /** `options_source` as its author wrote it. */
  readonly source: Readonly<Record<string, unknown>>;
  /** `label_expr` and `value_expr` beside the source, as in a field mapping; null where the source has its own. */
  readonly labelExpr: string | null;
  readonly valueExpr: string | null;
  readonly q: string | null;
  readonly cursor: string | null;
  readonly limit: number;
  /** The draft of the widget: an object for a form, rows for a mapping; null for what is saved. */
  readonly value: unknown;
}

export interface TaskRunInfo {
  readonly id: number;
  readonly task_key: string;
  readonly status: string;
  readonly progress: {
    readonly rows: number;
    readonly rows_per_second: number;
    readonly step: string;
    /** 0 to 1, or null where the total is not known. */
    readonly ratio: number | null;
  } | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly items: { readonly in: number; readonly out: number; readonly failed: number };
}
