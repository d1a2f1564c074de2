const views = ['edit', 'share', 'template'] as const;
export type DashboardScreenView = (typeof views)[number];

/** Which dashboards are listed, as the address says it. */
export interface DashboardsSearch {
  readonly job?: number;
}

/** How a dashboard is looked at. */
export interface DashboardSearch {
  readonly view?: DashboardScreenView;
}

export function dashboardsSearch({ job }: Readonly<Record<string, unknown>>): DashboardsSearch {
  const id = Number(job);
  return Number.isSafeInteger(id) && id > 0 ? { job: id } : {};
}

export function dashboardSearch({ view }: Readonly<Record<string, unknown>>): DashboardSearch {
  const known = views.find((one) => one === view);
  return known === undefined ? {} : { view: known };
}
