const views = ['edit', 'versions', 'uses'] as const;
export type TaskView = (typeof views)[number];

/** Which tasks are listed, as the address says it. */
export interface TasksSearch {
  readonly q?: string;
  readonly archived?: true;
}

/** How a task is looked at. */
export interface TaskSearch {
  readonly view?: TaskView;
}

export function tasksSearch({ q, archived }: Readonly<Record<string, unknown>>): TasksSearch {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return { ...(text !== '' && { q: text }), ...(archived === true && { archived }) };
}

export function taskSearch({ view }: Readonly<Record<string, unknown>>): TaskSearch {
  const known = views.find((one) => one === view);
  return known === undefined ? {} : { view: known };
}
