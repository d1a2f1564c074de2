/** A checked, normalized dashboard document: always pages, never a legacy list. Produced by `parse-dashboard.ts`. */
export interface Dashboard {
  readonly title: string | null;
  readonly description: string | null;
  readonly navbar_ctas: readonly NavbarCta[];
  readonly refresh_interval_seconds: number | null;
  readonly scope: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly default_scope: string | null;
  readonly allow_public_input: boolean;
  readonly shared_queries: Readonly<Record<string, ConnectorCall>>;
  readonly pages: readonly DashboardPage[];
}

export interface NavbarCta {
  readonly label: string;
  readonly href: string;
  readonly variant: 'button' | 'link';
  readonly icon: string | null;
  readonly text: string | null;
}

export interface ConnectorCall {
  readonly connector: string;
  readonly method: string;
  readonly args: unknown;
}

export interface DashboardPage {
  readonly id: string;
  readonly title: string;
  readonly public: boolean;
  readonly widgets: readonly Widget[];
}

export const WIDGET_TYPES = [
  'heading',
  'stat',
  'progress',
  'steps',
  'people',
  'bar_chart',
  'line_chart',
  'pie_chart',
  'table',
  'form',
  'field_mapping',
  'action',
  'task_progress',
  'explorer',
] as const;
export type WidgetType = (typeof WIDGET_TYPES)[number];

/** Shared keys, and `config`: the keys of the type as they stand (expressions as text), already checked. */
export interface Widget {
  readonly id: string;
  readonly type: WidgetType;
  readonly title: string | null;
  readonly description: string | null;
  /** Columns of twelve; the type's default is filled in. */
  readonly width: number;
  /** A profile name, null to opt out, undefined for the document's default. */
  readonly scope?: string | null;
  readonly refresh_interval_seconds: number | null;
  readonly visible_if_expr: string | null;
  readonly binding: WidgetBinding;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Where a widget's `data` comes from, before its own expressions. */
export type WidgetBinding =
  | { readonly kind: 'none' }
  | { readonly kind: 'call'; readonly call: ConnectorCall; readonly transform_expr: string | null }
  | { readonly kind: 'shared_query'; readonly name: string; readonly transform_expr: string | null }
  | {
      readonly kind: 'source';
      readonly source: 'runs' | 'job' | 'config';
      readonly transform_expr: string | null;
    };
