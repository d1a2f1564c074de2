import { isAddressKey } from '../../kit/widget/filter-choice.ts';

const views = ['edit', 'share', 'template'] as const;
export type DashboardScreenView = (typeof views)[number];

/** Which dashboards are listed, as the address says it. */
export interface DashboardsSearch {
  readonly job?: number;
  readonly q?: string;
}

/** How a dashboard is looked at, and what was chosen of its filters. */
export interface DashboardSearch {
  readonly view?: DashboardScreenView;
  readonly [filter: `filter.${string}`]: string | number;
}

const filtersMax = 20;

export function dashboardsSearch({ job, q }: Readonly<Record<string, unknown>>): DashboardsSearch {
  const id = Number(job);
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return { ...(Number.isSafeInteger(id) && id > 0 && { job: id }), ...(text !== '' && { q: text }) };
}

export function dashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const known = views.find((one) => one === search['view']);
  const chosen = Object.entries(search)
    .filter(([key, value]) => isAddressKey(key) && (typeof value === 'string' || typeof value === 'number'))
    .slice(0, filtersMax);
  return { ...(known !== undefined && { view: known }), ...Object.fromEntries(chosen) };
}
