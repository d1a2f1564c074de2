import type { components } from '../../../client/openapi-types.ts';
import { labelsOf } from '../../frame/labels/label-text.ts';

export const periods = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const;
export type Period = keyof typeof periods;

const statuses = [
  'queued',
  'running',
  'cancelling',
  'success',
  'warning',
  'error',
  'cancelled',
  'skipped',
] as const;
export type RunStatus = components['schemas']['Run']['status'] & (typeof statuses)[number];
export type JobRunStatus = components['schemas']['JobRun']['status'];

/** What is listed, as the address says it: whoever gets the link sees the same. */
export interface RunsSearch {
  /** `tasks`: runs of tasks; otherwise runs of jobs. */
  readonly kind?: 'tasks';
  readonly status?: RunStatus;
  readonly job?: number;
  readonly template?: number;
  readonly trigger?: number;
  readonly task?: number;
  readonly since?: Period;
  /** Of the job; `name:value`, or `name`. */
  readonly label?: readonly string[];
}

/** The states that this list knows. */
export function statusesOf(kind: RunsSearch['kind']): readonly RunStatus[] {
  return kind === 'tasks' ? statuses : statuses.filter((status) => status !== 'skipped');
}

/** Reads the filters of an address; what it does not know, or what the list cannot be filtered by, is left out. */
export function runsSearch(search: Readonly<Record<string, unknown>>): RunsSearch {
  const kind = search['kind'] === 'tasks' ? 'tasks' : undefined;
  const status = statusesOf(kind).find((one) => one === search['status']);
  const job = idOf(search['job']);
  const label = labelsOf(search['label']);
  const ofJobs = { ...(job && { job }), ...(label.length > 0 && { label }) };
  if (kind === 'tasks') {
    const task = idOf(search['task']);
    return { kind, ...(status && { status }), ...(task && { task }), ...ofJobs };
  }
  const template = idOf(search['template']);
  const trigger = idOf(search['trigger']);
  const since = (Object.keys(periods) as Period[]).find((period) => period === search['since']);
  return {
    ...(status && { status }),
    ...ofJobs,
    ...(template && { template }),
    ...(trigger && { trigger }),
    ...(since && { since }),
  };
}

export function isFiltered({ kind: _kind, ...filters }: RunsSearch): boolean {
  return Object.keys(filters).length > 0;
}

function idOf(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** How a job run is looked at. */
export interface JobRunSearch {
  readonly view?: 'timeline';
  /** The task from which it is to be run again. */
  readonly rerun?: string | undefined;
}

export function jobRunSearch({ view, rerun }: Readonly<Record<string, unknown>>): JobRunSearch {
  return { ...(view === 'timeline' && { view }), ...(typeof rerun === 'string' && { rerun }) };
}

const logLevels = ['info', 'warn', 'error'] as const;

/** What is shown of a run's log. */
export interface LogSearch {
  readonly level?: (typeof logLevels)[number];
  readonly step?: string;
  readonly q?: string;
}

export function logSearch(search: Readonly<Record<string, unknown>>): LogSearch {
  const level = logLevels.find((one) => one === search['level']);
  const [step, q] = [textOf(search['step']), textOf(search['q'])];
  return { ...(level && { level }), ...(step && { step }), ...(q && { q }) };
}

/** The router reads a text that looks like a number as one. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
