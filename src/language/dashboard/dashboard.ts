import type { NavbarCta } from './header.ts';
import type { ConnectorCall } from './widgets/widget-binding.ts';
import type { WidgetBase } from './widgets/widget-kind.ts';
import type { WidgetType } from './widgets/widget-kinds.ts';

/** A checked, normalized dashboard document: always pages, never a legacy list. Produced by `parse-dashboard.ts`. */
export interface Dashboard {
  readonly title: string | null;
  readonly description: string | null;
  readonly navbar_ctas: readonly NavbarCta[];
  readonly refresh_interval_seconds: number | null;
  /** Profile to connector to the fields of a filter, literal or with `{{ expression }}`. */
  readonly scope: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly default_scope: string | null;
  readonly allow_public_input: boolean;
  readonly shared_queries: Readonly<Record<string, ConnectorCall>>;
  readonly pages: readonly DashboardPage[];
}

export interface DashboardPage {
  readonly id: string;
  readonly title: string;
  readonly public: boolean;
  readonly widgets: readonly Widget[];
}

export interface Widget extends WidgetBase {
  readonly type: WidgetType;
}
