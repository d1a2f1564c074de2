import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/create-client.ts';
import { confirm, hasPerson } from '../kit/ask-person.ts';
import { CommandError } from '../kit/command-error.ts';
import type { CommandOutput } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { createProgressBar } from '../kit/progress-bar.ts';
import { layOutTable } from '../kit/text/lay-out-table.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';

export const REPROCESS = ['missed', 'failed', 'all'] as const;

export interface BackfillOptions extends ServerOptions {
  readonly from: string;
  readonly to: string;
  readonly reprocess: (typeof REPROCESS)[number];
  readonly maxActive: number;
  readonly newestFirst: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly watch: boolean;
}

type Plan = Awaited<ReturnType<typeof planOf>>;
type Backfill = Awaited<ReturnType<typeof backfillOf>>;

const POLL_MS = 1_000;
const ENDED: readonly string[] = ['completed', 'cancelled'];

/**
 * `headgate backfill`: shows which past times of a trigger would run, asks, and submits exactly that plan; one that has changed
 * meanwhile is refused (exit code 1). With `watch` it follows the backfill to its end, and is 1 where a run has failed.
 */
export async function backfill(triggerId: number, options: BackfillOptions): Promise<number> {
  return perform(options, async (out) => {
    const body = bodyOf(options);
    if (!options.dryRun && !options.yes && (out.isJson || !hasPerson()))
      throw new CommandError(
        EXIT.usage,
        'The plan cannot be confirmed without a terminal: pass --yes, or --dry-run to see it',
      );
    const api = clientOf(options);
    const plan = await planOf(api, triggerId, body);
    showPlan(plan, out);
    if (options.dryRun) {
      if (out.isJson) out.json(plan);
      return EXIT.ok;
    }
    if (plan.total === 0) {
      if (out.isJson) out.json({ plan, backfill: null });
      return EXIT.ok;
    }
    if (!options.yes && !(await confirm(`Start ${plan.total} job run(s)?`))) {
      out.error('Nothing was started.');
      return EXIT.failed;
    }
    const params = { path: { id: triggerId } };
    const made = await api.POST('/api/triggers/{id}/backfills', {
      params,
      body: { ...body, plan_id: plan.plan_id },
    });
    if (!('id' in made)) throw new Error('the server responded to a submission with a plan');
    out.line(`Started backfill ${made.id}: ${made.total} time(s).`);
    const last = options.watch ? await watched(api, made.id, !out.isJson) : made;
    return ended(last, options.watch, out);
  });
}

function bodyOf({ from, to, reprocess, maxActive, newestFirst }: BackfillOptions) {
  return {
    from: timeOf(from, '--from'),
    to: timeOf(to, '--to'),
    reprocess,
    max_active: maxActive,
    order: newestFirst ? ('newest_first' as const) : ('oldest_first' as const),
  };
}

/** A day is its beginning in UTC; a time without a zone is refused, since the machine's own would be guessed. */
function timeOf(text: string, option: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = Date.parse(text);
  if ((!isDay && !isTime) || Number.isNaN(time))
    throw new CommandError(
      EXIT.usage,
      `${option} "${text}" must be a UTC day (2026-01-31) or a time with a zone (2026-01-31T06:00:00Z)`,
    );
  return new Date(time).toISOString();
}

async function planOf(api: Client, id: number, body: ReturnType<typeof bodyOf>) {
  const params = { path: { id } };
  const plan = await api.POST('/api/triggers/{id}/backfills', { params, body: { ...body, dry_run: true } });
  if (!('plan_id' in plan)) throw new Error('the server responded to a dry run with a backfill');
  return plan;
}

function backfillOf(api: Client, id: number) {
  return api.GET('/api/backfills/{id}', { params: { path: { id }, query: { limit: 1 } } });
}

function showPlan(plan: Plan, out: CommandOutput): void {
  const rows = plan.times.map((time) => [
    time.scheduled_for,
    time.outcome,
    time.job_run_id === null ? '' : String(time.job_run_id),
  ]);
  for (const line of layOutTable([['scheduled for', 'so far', 'job run'], ...rows], 3)) out.line(line);
  if (plan.truncated) out.line(`… and ${plan.total - plan.times.length} more`);
  out.line(`\n${plan.total} time(s) to run`);
  for (const warning of plan.warnings) out.line(out.paint('yellow', `warning: ${warning}`));
}

async function watched(api: Client, id: number, isShown: boolean): Promise<Backfill> {
  const bar = await createProgressBar(isShown);
  try {
    for (;;) {
      const now = await backfillOf(api, id);
      const { pending, active } = now.progress;
      const done = now.total - pending - active;
      bar.update(done, now.total, `${done}/${now.total} done, ${active} running (${now.status})`);
      if (ENDED.includes(now.status) || now.ended_at !== null) return now;
      if (now.status === 'paused' && now.problem !== null) return now;
      await sleep(POLL_MS);
    }
  } finally {
    bar.stop();
  }
}

function ended(
  record: Omit<Backfill, 'times' | 'next_cursor'>,
  isWatched: boolean,
  out: CommandOutput,
): number {
  if (out.isJson) out.json({ backfill: record });
  if (!isWatched) return EXIT.ok;
  const counts = Object.entries(record.progress).filter(([, count]) => count > 0);
  out.line(`${record.status}: ${counts.map(([status, count]) => `${count} ${status}`).join(', ')}`);
  if (record.problem !== null) out.error(record.problem);
  const { error, cancelled, deleted } = record.progress;
  return record.ended_at !== null && error + cancelled + deleted === 0 ? EXIT.ok : EXIT.failed;
}
