const views = ['edit', 'versions', 'uses'] as const;
export type TaskView = (typeof views)[number];

/** How a task is looked at. */
export interface TaskSearch {
  readonly view?: TaskView;
}

export function taskSearch({ view }: Readonly<Record<string, unknown>>): TaskSearch {
  const known = views.find((one) => one === view);
  return known === undefined ? {} : { view: known };
}
