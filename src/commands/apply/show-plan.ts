import type { components } from '../../client/openapi-types.ts';
import { type CommandOutput, printable, type Style } from '../kit/command-output.ts';
import { layOutTable } from '../kit/lay-out-table.ts';

export type ImportAnswer = components['schemas']['ImportAnswer'];
type Item = ImportAnswer['items'][number];
type Action = Item['action'];

const STYLES: Readonly<Record<Action, Style>> = {
  create: 'green',
  update: 'yellow',
  unchanged: 'dim',
  skip: 'dim',
  conflict: 'red',
  missing_dependency: 'red',
  invalid: 'red',
};

const COUNTED: Readonly<Record<Action, string>> = {
  create: 'to create',
  update: 'to update',
  unchanged: 'unchanged',
  skip: 'kept as they are',
  conflict: 'in conflict',
  missing_dependency: 'without what they need',
  invalid: 'invalid',
};

/** A line for each item, the diffs, what is wrong with its place, and the counts. */
export function showPlan(plan: ImportAnswer, out: CommandOutput): void {
  const rows = plan.items.map((item) => [item.action, placeOf(item), aboutOf(item)]);
  for (const [index, line] of layOutTable(rows, 3).entries())
    out.line(out.paint(STYLES[plan.items[index]?.action ?? 'unchanged'], line));
  for (const { diff } of plan.items) if (diff !== '') showDiff(diff, out);
  const hasProblems = plan.items.some(({ problems, warnings }) => problems.length + warnings.length > 0);
  if (hasProblems) out.line();
  for (const item of plan.items) {
    for (const problem of item.problems) showProblem(item, problem, 'error', out);
    for (const warning of item.warnings) showProblem(item, warning, 'warning', out);
  }
  out.line(`\n${countsOf(plan)}`);
  if (plan.required_role === 'admin' && plan.applicable)
    out.line(out.paint('yellow', 'It makes connectors without secrets, which takes an admin.'));
}

/** Whether applying the plan would write anything. */
export function hasChanges({ summary }: ImportAnswer): boolean {
  return summary.create + summary.update > 0;
}

/** What an import has done, a line for each definition that was written. */
export function showApplied(applied: ImportAnswer, out: CommandOutput): void {
  const done: Partial<Record<Action, string>> = { create: 'created', update: 'updated' };
  const rows = applied.items.flatMap((item) => {
    const verb = done[item.action];
    if (verb === undefined) return [];
    return [[verb, placeOf(item), `id ${item.id ?? '?'}, version ${item.version ?? '?'}`]];
  });
  for (const line of layOutTable(rows, 3)) out.line(line);
  out.line(`\n${applied.summary.create} created, ${applied.summary.update} updated`);
}

/** `task "copy"`. */
function placeOf({ kind, name, job_template, rename_to }: Item): string {
  const of = job_template === null ? '' : ` of "${printable(job_template)}"`;
  const as = rename_to === null ? '' : ` as "${printable(rename_to)}"`;
  return `${kind} "${printable(name)}"${of}${as}`;
}

function aboutOf({ action, version, changes }: Item): string {
  const at = version === null || action === 'create' ? '' : `version ${version}`;
  return [at, changes.join(', ')].filter(Boolean).join(': ');
}

function showDiff(diff: string, out: CommandOutput): void {
  out.line();
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const style = styleOf(line);
    out.line(style === null ? printable(line) : out.paint(style, printable(line)));
  }
}

function styleOf(line: string): Style | null {
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('-')) return 'red';
  return line.startsWith('+') ? 'green' : null;
}

function showProblem(
  item: Item,
  problem: Item['problems'][number],
  severity: 'error' | 'warning',
  out: CommandOutput,
): void {
  const where = problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`;
  const path = problem.path === '' ? '' : `${printable(problem.path)}: `;
  const word = out.paint(severity === 'error' ? 'red' : 'yellow', severity);
  out.line(`${placeOf(item)}${where}: ${word}: ${path}${printable(problem.message)}`);
}

function countsOf({ summary }: ImportAnswer): string {
  const counts = (Object.keys(COUNTED) as Action[]).filter((action) => summary[action] > 0);
  if (counts.length === 0) return 'The bundle is empty.';
  return counts.map((action) => `${summary[action]} ${COUNTED[action]}`).join(', ');
}
