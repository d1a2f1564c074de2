import { isRecord } from '../../base/json.ts';
import type { PublicKeys } from '../declare/value.ts';
import type { DashboardFilter } from './filters/dashboard-filter.ts';
import type { NavbarCta } from './header.ts';
import type { Widget } from './pages.ts';
import type { Dashboard } from './parse-dashboard.ts';
import { WIDGET_KINDS, type WidgetType } from './widgets/widget-kinds.ts';

/** What a person with the share link sees of a dashboard. Every field is listed here or in a widget kind's `publicKeys`. */
export interface PublicDashboard {
  readonly title: string | null;
  readonly description: string | null;
  readonly navbar_ctas: readonly NavbarCta[];
  readonly refresh_interval_seconds: number | null;
  readonly allow_public_input: boolean;
  readonly filters: readonly PublicFilter[];
  readonly pages: readonly PublicPage[];
}

/** A filter's control; `has_query`: its choices are the data of `filter.<id>`. */
export type PublicFilter = Pick<DashboardFilter, 'id' | 'label' | 'type' | 'options' | 'default'> & {
  readonly has_query: boolean;
};

export interface PublicPage {
  readonly id: string;
  readonly title: string;
  readonly widgets: readonly PublicWidget[];
}

export interface PublicWidget {
  readonly id: string;
  readonly type: WidgetType;
  readonly title: string | null;
  readonly description: string | null;
  readonly width: number;
  readonly refresh_interval_seconds: number | null;
  /** How it looks; never where its data comes from. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Builds the public view by naming what it holds, so that what is added to a dashboard later stays private until it is named.
 * Pages with `public: false` and actions without `allow_public: true` are left out.
 */
export function publicProjection(dashboard: Dashboard): PublicDashboard {
  return {
    title: dashboard.title,
    description: dashboard.description,
    navbar_ctas: dashboard.navbar_ctas.map(({ label, href, variant, icon, text }) => ({
      label,
      href,
      variant,
      icon,
      text,
    })),
    refresh_interval_seconds: dashboard.refresh_interval_seconds,
    allow_public_input: dashboard.allow_public_input,
    filters: dashboard.filters.map(toPublicFilter),
    pages: dashboard.pages
      .filter((page) => page.public)
      .map((page) => ({
        id: page.id,
        title: page.title,
        widgets: page.widgets.filter(isPublicWidget).map(toPublicWidget),
      })),
  };
}

function toPublicFilter({
  id,
  label,
  type,
  options,
  default: chosen,
  shared_query,
}: DashboardFilter): PublicFilter {
  return { id, label, type, options, default: chosen, has_query: shared_query !== null };
}

/** False for an action that strangers may not start. Its data and its dispatch are as private as its description. */
export function isPublicWidget(widget: Widget): boolean {
  return widget.type !== 'action' || widget.config['allow_public'] === true;
}

function toPublicWidget(widget: Widget): PublicWidget {
  return {
    id: widget.id,
    type: widget.type,
    title: widget.title,
    description: widget.description,
    width: widget.width,
    refresh_interval_seconds: widget.refresh_interval_seconds,
    config: pick(widget.config, WIDGET_KINDS[widget.type].publicKeys),
  };
}

function pick(map: Readonly<Record<string, unknown>>, keys: PublicKeys): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [key, shown] of Object.entries(keys)) {
    const value = Object.hasOwn(map, key) ? map[key] : undefined;
    if (shown === true) {
      if (isPlain(value)) picked[key] = value;
      else if (Array.isArray(value)) picked[key] = value.filter(isPlain);
    } else if (Array.isArray(value)) {
      picked[key] = value.filter(isRecord).map((item) => pick(item, shown));
    } else if (isRecord(value)) {
      picked[key] = pick(value, shown);
    }
  }
  return picked;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
