import { labelsOf } from '../../frame/labels/label-text.ts';

export const letterStatuses = ['open', 'replaying', 'replayed', 'discarded'] as const;
export type LetterStatus = (typeof letterStatuses)[number];
const runsMax = 20;

/** Which letters are listed, as the address says it. */
export interface LettersSearch {
  readonly job?: number;
  readonly run?: number;
  /** The reason, by its code. */
  readonly code?: string;
  /** `name:value`, or `name`: of jobs with all of them. */
  readonly label?: readonly string[];
  /** Without: those that are open. */
  readonly status?: Exclude<LetterStatus, 'open'> | 'all';
  /** Runs of replays that are watched: numbers with commas. */
  readonly watch?: string;
}

/** Reads the filters of an address; what it does not know is left out. */
export function lettersSearch(search: Readonly<Record<string, unknown>>): LettersSearch {
  const { job: jobText, run: runText, code, status: statusText, watch: watchText } = search;
  const [job, run] = [idOf(jobText), idOf(runText)];
  const status = (['all', 'replaying', 'replayed', 'discarded'] as const).find((one) => one === statusText);
  const label = labelsOf(search['label']);
  const watch = watchedRuns(String(watchText ?? '')).join(',');
  return {
    ...(job && { job }),
    ...(run && { run }),
    ...((typeof code === 'string' || typeof code === 'number') && code !== '' && { code: String(code) }),
    ...(label.length > 0 && { label }),
    ...(status && { status }),
    ...(watch !== '' && { watch }),
  };
}

/** The newest of the runs that the address names, each once. */
export function watchedRuns(watch = ''): readonly number[] {
  const ids = watch.split(',').flatMap((text) => idOf(text) ?? []);
  return [...new Set(ids)].slice(-runsMax);
}

function idOf(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
