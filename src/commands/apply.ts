import { ApiError } from '../client/api-error.ts';
import type { Client } from '../client/create-client.ts';
import { type BundleText, readBundle } from './apply/read-bundle.ts';
import { hasChanges, type ImportAnswer, showApplied, showPlan } from './apply/show-plan.ts';
import { confirm, hasPerson } from './kit/ask-person.ts';
import { CommandError } from './kit/command-error.ts';
import type { CommandOutput } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { clientOf, type ServerOptions } from './kit/server-client.ts';

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
    requireSense(options, out);
    const api = clientOf(options, IMPORT_MS_MAX);
    const { conflict, connectorMissing: connector_missing } = options;
    const body = { ...(await readBundle(file)), conflict, connector_missing };
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
  if (failOnChanges && !dryRun) throw new CommandError(EXIT.usage, '--fail-on-changes goes with --dry-run');
  if (!dryRun && !yes && (out.isJson || !hasPerson()))
    throw new CommandError(
      EXIT.usage,
      'Nobody is there to confirm the plan: give --yes, or --dry-run to see it',
    );
}

async function planOf(api: Client, body: Body): Promise<ImportAnswer> {
  return api.POST('/api/import', { params: { query: { dry_run: true } }, body });
}

/** Of one that is not applied. */
function endOfPlan(plan: ImportAnswer, { failOnChanges }: ApplyOptions, out: CommandOutput): number {
  if (!plan.applicable) {
    out.error('The plan is blocked: nothing of it can be applied.');
    return EXIT.failed;
  }
  if (hasChanges(plan)) return failOnChanges ? EXIT.changes : EXIT.ok;
  out.line('Nothing is to be done.');
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
    else out.line(`\n${out.paint('bold', 'This is the plan now:')}\n`);
    showPlan(now, out);
    const message = 'What is on the server has changed since the plan was shown: nothing was applied.';
    throw new CommandError(EXIT.failed, `${message} Look at the new plan, and apply again.`, {
      cause: error,
    });
  }
}
