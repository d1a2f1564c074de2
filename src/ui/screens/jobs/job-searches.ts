import { labelsOf } from '../../frame/labels/label-text.ts';

const views = ['runs', 'dashboards', 'config', 'triggers', 'state', 'upgrade'] as const;
export type JobView = (typeof views)[number];

/** Which jobs are listed, as the address says it. */
export interface JobsSearch {
  readonly template?: number;
  readonly q?: string;
  readonly archived?: true;
  /** `name:value`, or `name`: jobs with all of them. */
  readonly label?: readonly string[];
}

/** How a job is looked at. */
export interface JobSearch {
  readonly view?: JobView;
  /** It was just created, and is being set up. */
  readonly setup?: true;
}

export function jobsSearch(search: Readonly<Record<string, unknown>>): JobsSearch {
  const { q } = search;
  const template = Number(search['template']);
  const label = labelsOf(search['label']);
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return {
    ...(Number.isSafeInteger(template) && template > 0 && { template }),
    ...(text !== '' && { q: text }),
    ...(search['archived'] === true && { archived: true as const }),
    ...(label.length > 0 && { label }),
  };
}

export function jobSearch({ view, setup }: Readonly<Record<string, unknown>>): JobSearch {
  const known = views.find((one) => one === view);
  return { ...(known && { view: known }), ...(setup === true && { setup: true as const }) };
}
