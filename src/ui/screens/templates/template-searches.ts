const views = ['edit', 'versions', 'jobs', 'dashboards'] as const;
export type TemplateView = (typeof views)[number];
const dashboardViews = ['edit', 'push'] as const;
export type DashboardTemplateView = (typeof dashboardViews)[number];

/** Which task a new job template begins with. Default: the newest. */
export function newTemplateSearch({ task }: Readonly<Record<string, unknown>>): { task?: number } {
  const id = Number(task);
  return Number.isSafeInteger(id) && id > 0 ? { task: id } : {};
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
