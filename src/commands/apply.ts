import { createReadStream } from 'node:fs';
import { ApiError } from '../client/api-error.ts';
import type { Client } from '../client/create-client.ts';
import type { components } from '../client/openapi-types.ts';
import { BUNDLE_LIMITS } from '../language/bundle/bundle.ts';
import { confirm, hasPerson } from './kit/ask-person.ts';
import { CommandError } from './kit/command-error.ts';
import { type CommandOutput, printable, type Style } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { unreadable } from './kit/read-document.ts';
import { withFilesOfTasks } from './kit/script-files.ts';
import { layOutTable } from './kit/text/lay-out-table.ts';
import { showDiff } from './kit/text/show-diff.ts';
import { clientOf, type ServerOptions } from './server/server-client.ts';

export interface ApplyOptions extends ServerOptions {
  readonly dryRun: boolean;
  readonly conflict: 'fail' | 'update' | 'skip' | 'rename';
  readonly connectorMissing: 'stub' | 'fail';
  readonly yes: boolean;
  /** With `dryRun`: a plan that changes something ends with `EXIT.changes`. */
  readonly failOnChanges: boolean;
}

type Body = BundleText & {
  readonly conflict: ApplyOptions['conflict'];
  readonly connector_missing: ApplyOptions['connectorMissing'];
};

const IMPORT_MS_MAX = 120_000;

/**
 * `headgate apply`: shows what a bundle would change, asks, and applies exactly that. Exit code 1 where something blocks the plan,
 * somebody says no, or it is not the plan any more when it is applied: then the new one is shown and nothing is done.
 */
export async function apply(file: string, options: ApplyOptions): Promise<number> {
  return perform(options, async (out) => {
    const bundle = await readBundle(file);
    requireSense(options, out);
    const api = clientOf(options, IMPORT_MS_MAX);
    const { conflict, connectorMissing: connector_missing } = options;
    const body = { ...bundle, conflict, connector_missing };
    const plan = await planOf(api, body);
    showPlan(plan, out);
    if (options.dryRun || !plan.applicable || !hasChanges(plan)) {
      if (out.isJson) out.json(plan);
      return endOfPlan(plan, options, out);
    }
    if (!options.yes && !(await confirm('Apply this?'))) {
      out.error('Nothing was applied.');
      return EXIT.failed;
    }
    return applyPlan(api, body, plan, out);
  });
}

function requireSense({ dryRun, yes, failOnChanges }: ApplyOptions, out: CommandOutput): void {
  if (failOnChanges && !dryRun) throw new CommandError(EXIT.usage, '--fail-on-changes requires --dry-run');
  if (!dryRun && !yes && (out.isJson || !hasPerson()))
    throw new CommandError(
      EXIT.usage,
      'The plan cannot be confirmed without a terminal: pass --yes, or --dry-run to see it',
    );
}

async function planOf(api: Client, body: Body): Promise<ImportAnswer> {
  return api.POST('/api/import', { params: { query: { dry_run: true } }, body });
}

/** Of one that is not applied. */
function endOfPlan(plan: ImportAnswer, { failOnChanges }: ApplyOptions, out: CommandOutput): number {
  if (!plan.applicable) {
    out.error('The plan is blocked: nothing can be applied.');
    return EXIT.failed;
  }
  if (hasChanges(plan)) return failOnChanges ? EXIT.changes : EXIT.ok;
  out.line('Nothing to do.');
  return EXIT.ok;
}

async function applyPlan(api: Client, body: Body, plan: ImportAnswer, out: CommandOutput): Promise<number> {
  try {
    const applied = await api.POST('/api/import', { body: { ...body, plan_hash: plan.plan_hash } });
    if (out.isJson) out.json(applied);
    else out.line();
    showApplied(applied, out);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const now = await planOf(api, body);
    if (out.isJson) out.json(now);
    else out.line(`\n${out.paint('bold', 'The current plan:')}\n`);
    showPlan(now, out);
    const message = 'The server has changed since the plan was shown: nothing was applied.';
    throw new CommandError(EXIT.failed, `${message} Review the new plan, then apply again.`, {
      cause: error,
    });
  }
}

/** A bundle as a body of `POST /api/import` has it. */
type BundleText = { readonly bundle: string } | { readonly bundle_zip: string };

const STANDARD_INPUT = '-';
/** Every zip begins so, one without files too. */
const ZIP_BEGINS = Buffer.from('PK');

/** The bundle in a file, or on standard input for `-`; what begins as a zip does is one. `CommandError` where there is none. */
async function readBundle(file: string): Promise<BundleText> {
  const name = file === STANDARD_INPUT ? 'The bundle on standard input' : `The bundle "${file}"`;
  const bytes = await readUpTo(BUNDLE_LIMITS.bytesMax, file, name);
  if (bytes.length === 0) throw new CommandError(EXIT.usage, `${name} is empty`);
  if (bytes.subarray(0, ZIP_BEGINS.length).equals(ZIP_BEGINS))
    return { bundle_zip: bytes.toString('base64') };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { bundle: file === STANDARD_INPUT ? text : withFilesOfTasks(text, file) };
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(EXIT.usage, `${name} is neither a zip nor UTF-8 text`, { cause });
  }
}

async function readUpTo(bytesMax: number, file: string, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const source = file === STANDARD_INPUT ? process.stdin : createReadStream(file);
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > bytesMax) break;
    }
  } catch (cause) {
    throw new CommandError(EXIT.usage, unreadable(name, cause), { cause });
  }
  if (size > bytesMax) throw new CommandError(EXIT.usage, `${name} is larger than ${bytesMax} bytes`);
  return Buffer.concat(chunks);
}

type ImportAnswer = components['schemas']['ImportAnswer'];
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
  skip: 'left unchanged',
  conflict: 'in conflict',
  missing_dependency: 'with missing dependencies',
  invalid: 'invalid',
};

/** A line for each item, the diffs, what is wrong with its place, and the counts. */
function showPlan(plan: ImportAnswer, out: CommandOutput): void {
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
    out.line(out.paint('yellow', 'It creates connectors without secrets, which requires an admin.'));
}

/** Whether applying the plan would write anything. */
function hasChanges({ summary }: ImportAnswer): boolean {
  return summary.create + summary.update > 0;
}

/** What an import has done, a line for each definition that was written. */
function showApplied(applied: ImportAnswer, out: CommandOutput): void {
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
