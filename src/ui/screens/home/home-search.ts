import { labelsOf } from '../../frame/labels/label-text.ts';

/** What the home page is narrowed to, as the address says it. */
export interface HomeSearch {
  /** `name:value`, or `name`: jobs with all of them. */
  readonly label?: readonly string[];
}

export function homeSearch(search: Readonly<Record<string, unknown>>): HomeSearch {
  const label = labelsOf(search['label']);
  return label.length > 0 ? { label } : {};
}
