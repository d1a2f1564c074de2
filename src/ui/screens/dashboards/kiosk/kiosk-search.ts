/** Dashboards that a wall display shows in turn, as the address says it. */
export interface KioskSearch {
  /** Ids with commas between them; one alone is a number. */
  readonly dashboards?: string | number;
  /** How long each page of them is shown. */
  readonly seconds?: number;
}

const dashboardsMax = 50;
const secondsMin = 5;
const secondsMax = 86_400;
export const kioskSecondsDefault = 60;

export function kioskSearch(search: Readonly<Record<string, unknown>>): KioskSearch {
  const ids = kioskIds(search['dashboards']);
  const seconds = Number(search['seconds']);
  return {
    ...(ids.length > 0 && { dashboards: ids.length === 1 ? ids[0] : ids.join(',') }),
    ...(seconds > 0 && { seconds: Math.min(Math.max(Math.round(seconds), secondsMin), secondsMax) }),
  };
}

/** The ids that an address lists, each once. */
export function kioskIds(listed: unknown): readonly number[] {
  const text = typeof listed === 'string' || typeof listed === 'number' ? String(listed) : '';
  const ids = text.split(',').map(Number);
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))].slice(0, dashboardsMax);
}
