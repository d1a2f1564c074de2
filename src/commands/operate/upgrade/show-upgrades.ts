import type { components } from '../../../client/openapi-types.ts';
import { type CommandOutput, printable } from '../../kit/command-output.ts';
import { showDiff } from '../../kit/text/show-diff.ts';
import { cell, printTable } from '../cells.ts';

export type Plan = components['schemas']['JobUpgrade'];

/** How far the upgrade of one job is, in the words of `--json`. */
export interface JobUpgrade {
  readonly id: number;
  readonly name: string;
  readonly state: 'current' | 'planned' | 'blocked' | 'upgraded' | 'failed';
  /** The newest one; null until there is one. */
  readonly plan: Plan | null;
  /** Why it failed. */
  readonly error: string | null;
}

const STATES: Readonly<Record<JobUpgrade['state'], string>> = {
  current: 'up to date',
  planned: 'to upgrade',
  blocked: 'blocked',
  upgraded: 'upgraded',
  failed: 'failed',
};
/** A line for each change of each job, the diffs where they are wanted, what blocks a job, and the counts. */
export function showPlans(jobs: readonly JobUpgrade[], withDiffs: boolean, out: CommandOutput): void {
  const rows = jobs.flatMap(({ id, name, state, plan }) => {
    const changes = plan === null || state === 'current' ? [] : changesOf(plan);
    const first = [String(id), cell(name), STATES[state]];
    if (changes.length === 0) return [[...first, '', '', '']];
    return changes.map(([what, action, versions], index) => [
      ...(index === 0 ? first : ['', '', '']),
      cell(what),
      action,
      versions,
    ]);
  });
  printTable(out, ['id', 'job', 'upgrade', 'what', 'change', 'version'], rows, {
    textColumns: 6,
    none: 'The template has no active jobs.',
  });
  if (withDiffs)
    for (const { name, plan } of jobs)
      for (const [what, diff] of plan === null ? [] : diffsOf(plan)) {
        out.line(`\n${out.paint('bold', `${printable(name)}: ${printable(what)}`)}`);
        showDiff(diff, out);
      }
  showProblems(jobs, out);
  if (jobs.length > 0) out.line(`\n${countsOf(jobs)}`);
}

/** What became of the jobs that were upgraded. */
export function showOutcomes(jobs: readonly JobUpgrade[], out: CommandOutput): void {
  showProblems(
    jobs.filter(({ state }) => state === 'failed'),
    out,
  );
  for (const { name, plan } of jobs.filter(({ state }) => state === 'upgraded'))
    for (const { task_key, step_id } of plan?.cursors ?? [])
      out.line(
        `${printable(name)}: the cursor of ${printable(task_key)}, step ${printable(step_id)}, is no longer needed; it is kept until you delete it.`,
      );
  out.line(countsOf(jobs));
}

function showProblems(jobs: readonly JobUpgrade[], out: CommandOutput): void {
  const lines = jobs.flatMap(({ name, plan, state, error }) => {
    const problems = state === 'blocked' ? (plan?.problems ?? []).map(({ message }) => message) : [];
    return [...problems, ...(error === null ? [] : [error])].map(
      (message) => `${printable(name)}: ${out.paint('red', STATES[state])}: ${printable(message)}`,
    );
  });
  if (lines.length > 0) out.line();
  for (const line of lines) out.line(line);
  const blocked = jobs
    .filter(({ state }) => state === 'blocked')
    .flatMap(({ plan }) => plan?.connectors ?? []);
  const [missing] = blocked.filter(
    ({ action, required, to_id }) => action !== 'remove' && required && to_id === null,
  );
  if (missing !== undefined)
    out.line(
      `Map it with --connector ${printable(missing.name)}=<id or name of a saved ${missing.type} connector>`,
    );
}

type Change = readonly [what: string, action: string, versions: string];

function changesOf(plan: Plan): readonly Change[] {
  const { template, tasks, connectors, config, dashboards } = plan;
  const isNew = template.from_version !== template.to_version || template.diff !== '';
  const changed = tasks.filter(({ action, child_tasks }) => action !== 'keep' || child_tasks.length > 0);
  return [
    ...(isNew ? [['template', 'update', versionsOf(template)] as const] : []),
    ...changed.flatMap((task): Change[] => [
      [`task ${task.key}`, withOverride(task), versionsOf(task)],
      ...task.child_tasks.map(
        (child): Change => [`task ${task.key} / ${child.name}`, child.action, versionsOf(child)],
      ),
    ]),
    ...connectors.map(({ name, action, type }): Change => [`connector ${name} (${type})`, action, '']),
    ...config.map(({ key, action }): Change => [`configuration ${key}`, action, '']),
    ...dashboards
      .filter(({ action }) => action !== 'unchanged')
      .map((one): Change => [`dashboard ${one.name}`, wordsOf(one.action), versionsOf(one)]),
  ];
}

function withOverride({ action, override }: Plan['tasks'][number]): string {
  if (override === 'none') return action;
  return `${action}, override ${override}`;
}

function wordsOf(action: Plan['dashboards'][number]['action']): string {
  if (action === 'skip_modified') return 'stays: modified';
  return action === 'skip_archived' ? 'stays: its template is archived' : action;
}

function versionsOf(of: {
  readonly from_version: number | null;
  readonly to_version: number | null;
}): string {
  return `${of.from_version ?? '–'} → ${of.to_version ?? '–'}`;
}

function diffsOf({ template, tasks, dashboards }: Plan): readonly (readonly [what: string, diff: string])[] {
  const all = [
    ['template', template.diff] as const,
    ...tasks.flatMap(({ key, diff, child_tasks }) => [
      [`task ${key}`, diff] as const,
      ...child_tasks.map((child) => [`task ${key} / ${child.name}`, child.diff] as const),
    ]),
    ...dashboards.map(({ name, diff }) => [`dashboard ${name}`, diff] as const),
  ];
  return all.filter(([, diff]) => diff !== '');
}

function countsOf(jobs: readonly JobUpgrade[]): string {
  const states = Object.keys(STATES) as JobUpgrade['state'][];
  return states
    .flatMap((state) => {
      const count = jobs.filter((job) => job.state === state).length;
      return count === 0 ? [] : [`${count} ${STATES[state]}`];
    })
    .join(', ');
}
