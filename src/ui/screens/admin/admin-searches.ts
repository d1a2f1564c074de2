/** Which changes are listed, as the address says it. */
export interface AuditSearch {
  readonly action?: string;
  readonly resource_type?: string;
  readonly resource_id?: string;
  /** Whose changes. */
  readonly actor_id?: number;
}

/** Which users or references are listed, as the address says it. */
export function nameSearch({ q }: Readonly<Record<string, unknown>>): { readonly q?: string } {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return text === '' ? {} : { q: text };
}

/** Times that measurements are shown for, in days. */
export const measuredDays = [7, 30, 90] as const;

/** Whose measurements are shown, and of how many days, as the address says it. */
export interface MetricsSearch {
  readonly task?: number;
  readonly days?: (typeof measuredDays)[number];
}

export function metricsSearch(search: Readonly<Record<string, unknown>>): MetricsSearch {
  const task = Number(search['task']);
  const days = measuredDays.find((one) => one === Number(search['days']));
  return { ...(Number.isSafeInteger(task) && task > 0 && { task }), ...(days !== undefined && { days }) };
}

export function auditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const textOf = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const action = textOf(search['action']);
  const resource = textOf(search['resource_type']);
  const id = textOf(search['resource_id']);
  const actor = Number(search['actor_id']);
  return {
    ...(action !== '' && { action }),
    ...(resource !== '' && { resource_type: resource }),
    ...(id !== '' && { resource_id: id }),
    ...(Number.isSafeInteger(actor) && actor > 0 && { actor_id: actor }),
  };
}
