const views = ['edit', 'versions', 'jobs', 'dashboards'] as const;
export type TemplateView = (typeof views)[number];
const dashboardViews = ['edit', 'push'] as const;
export type DashboardTemplateView = (typeof dashboardViews)[number];

/** Which templates are listed, as the address says it. */
export interface TemplatesSearch {
  readonly q?: string;
  readonly archived?: true;
}

export function templatesSearch({ q, archived }: Readonly<Record<string, unknown>>): TemplatesSearch {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return { ...(text !== '' && { q: text }), ...(archived === true && { archived }) };
}

/** How a job template is looked at. */
export function templateSearch({ view }: Readonly<Record<string, unknown>>): { view?: TemplateView } {
  const known = views.find((one) => one === view);
  return known === undefined ? {} : { view: known };
}

/** How a dashboard template is looked at. */
export function dashboardTemplateSearch({ view }: Readonly<Record<string, unknown>>): {
  view?: DashboardTemplateView;
} {
  const known = dashboardViews.find((one) => one === view);
  return known === undefined ? {} : { view: known };
}
