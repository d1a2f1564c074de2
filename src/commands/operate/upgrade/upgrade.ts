import pMap from 'p-map';
import { messageOf } from '../../../base/errors.ts';
import { ApiError } from '../../../client/api-error.ts';
import { type Client, eachRecord } from '../../../client/create-client.ts';
import { confirm, hasPerson } from '../../kit/ask-person.ts';
import { CommandError } from '../../kit/command-error.ts';
import type { CommandOutput } from '../../kit/command-output.ts';
import { EXIT } from '../../kit/exit-code.ts';
import { perform } from '../../kit/perform.ts';
import { createProgressBar } from '../../kit/progress-bar.ts';
import { readRecord } from '../../run/local-connectors.ts';
import { clientOf, type ServerOptions } from '../../server/server-client.ts';
import { connectorIdOf, jobIdOf, templateIdOf } from '../find-by-name.ts';
import { type JobUpgrade, type Plan, showOutcomes, showPlans } from './show-upgrades.ts';

type Part = 'template' | 'tasks' | 'dashboards';

export interface UpgradeOptions extends ServerOptions {
  /** Id or name. */
  readonly template?: string;
  /** Undefined: all. */
  readonly only?: readonly Part[];
  /** `name=<id or name of a saved connector>`. */
  readonly connector: readonly string[];
  readonly config?: string;
  readonly force: boolean;
  readonly diff: boolean;
  readonly dryRun: boolean;
  readonly failOnChanges: boolean;
  readonly yes: boolean;
}

/** So many jobs are planned, or upgraded, at a time. */
const AT_ONCE_MAX = 3;
const PAGE_RECORDS_MAX = 200;
const UPGRADE_MS_MAX = 120_000;

/**
 * `headgate upgrade`: shows what upgrades of jobs change and what blocks them, asks, and applies exactly those plans. Exit code 1 where
 * a job is blocked or was not upgraded.
 */
export async function upgrade(jobs: readonly string[], options: UpgradeOptions): Promise<number> {
  return perform(options, async (out) => {
    requireSense(jobs, options, out);
    const api = clientOf(options, UPGRADE_MS_MAX);
    const body = await bodyOf(api, options);
    const named = await jobsOf(api, jobs, options);
    const planned = await each('Planning', named, out, async (job) => {
      const params = { path: { id: job.id } };
      const plan = await api.POST('/api/jobs/{id}/upgrade', { params, body: { ...body, dry_run: true } });
      return { ...job, state: stateOf(plan), plan };
    });
    showPlans(planned, options.diff, out);
    const ready = planned.filter(({ state }) => state === 'planned');
    if (options.dryRun || ready.length === 0) {
      if (out.isJson) out.json({ result: planned });
      if (ready.length > 0 && options.failOnChanges && exitCodeOf(planned) === EXIT.ok) return EXIT.changes;
      return exitCodeOf(planned);
    }
    if (!options.yes && !(await confirm(`Upgrade ${ready.length} job(s)?`))) {
      out.error('Nothing was upgraded.');
      return EXIT.failed;
    }
    const done = await each('Upgrading', ready, out, async (job) => {
      const params = { path: { id: job.id } };
      const plan_hash = job.plan?.plan_hash ?? '';
      const plan = await api.POST('/api/jobs/{id}/upgrade', { params, body: { ...body, plan_hash } });
      return { ...job, state: 'upgraded', plan };
    });
    const ended = planned.map((job) => done.find(({ id }) => id === job.id) ?? job);
    if (out.isJson) out.json({ result: ended });
    showOutcomes(ended, out);
    return exitCodeOf(ended);
  });
}

function requireSense(
  jobs: readonly string[],
  { template, dryRun, failOnChanges, yes }: UpgradeOptions,
  out: CommandOutput,
): void {
  if (jobs.length > 0 === (template !== undefined))
    throw new CommandError(EXIT.usage, 'Choose what to upgrade: jobs, or --template');
  if (failOnChanges && !dryRun) throw new CommandError(EXIT.usage, '--fail-on-changes requires --dry-run');
  if (!dryRun && !yes && (out.isJson || !hasPerson()))
    throw new CommandError(
      EXIT.usage,
      'The plan cannot be confirmed without a terminal: pass --yes, or --dry-run to see it',
    );
}

async function bodyOf(api: Client, { only, connector, config, force }: UpgradeOptions) {
  const takes = (part: Part) => only === undefined || only.includes(part);
  const connector_mapping: Record<string, number> = {};
  for (const text of connector) {
    const at = text.indexOf('=');
    if (at < 1) throw new CommandError(EXIT.usage, `--connector "${text}" must be name=<id or name>`);
    connector_mapping[text.slice(0, at)] = await connectorIdOf(api, text.slice(at + 1));
  }
  return {
    dry_run: false,
    template: takes('template'),
    ...(!takes('tasks') && { tasks: [] }),
    ...(!takes('dashboards') && { dashboards: false as const }),
    force,
    connector_mapping,
    config: config === undefined ? {} : { ...readRecord(config) },
  };
}

async function jobsOf(
  api: Client,
  jobs: readonly string[],
  { template }: UpgradeOptions,
): Promise<readonly JobUpgrade[]> {
  if (template === undefined) {
    const ids = new Set<number>();
    for (const job of jobs) ids.add(await jobIdOf(api, job));
    const read = async (id: number) =>
      unplanned(await api.GET('/api/jobs/{id}', { params: { path: { id } } }));
    return pMap(ids, read, { concurrency: AT_ONCE_MAX });
  }
  const job_template_id = await templateIdOf(api, template);
  await api.GET('/api/job-templates/{id}', { params: { path: { id: job_template_id } } });
  const found: JobUpgrade[] = [];
  const all = eachRecord((cursor) => {
    const query = { job_template_id, status: 'active', sort: 'name', limit: PAGE_RECORDS_MAX } as const;
    return api.GET('/api/jobs', { params: { query: { ...query, ...(cursor !== undefined && { cursor }) } } });
  });
  for await (const job of all) found.push(unplanned(job));
  return found;
}

function unplanned({ id, name }: Pick<JobUpgrade, 'id' | 'name'>): JobUpgrade {
  return { id, name, state: 'planned', plan: null, error: null };
}

/** Does the same with each job; one that fails says why. Without the server no more is begun. */
async function each(
  what: string,
  jobs: readonly JobUpgrade[],
  out: CommandOutput,
  act: (job: JobUpgrade) => Promise<JobUpgrade>,
): Promise<readonly JobUpgrade[]> {
  const bar = await createProgressBar(!out.isJson && jobs.length > 1);
  let done = 0;
  let lost: unknown = null;
  const tryOne = async (job: JobUpgrade): Promise<JobUpgrade> => {
    try {
      if (lost !== null) throw lost;
      return await act(job);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 0 || error.status === 401)) lost = error;
      return { ...job, state: 'failed', error: messageOf(error) };
    }
  };
  try {
    return await pMap(
      jobs,
      async (job) => {
        const ended = await tryOne(job);
        done += 1;
        bar.update(done, jobs.length, `${what}: ${done} of ${jobs.length} jobs`);
        return ended;
      },
      { concurrency: AT_ONCE_MAX },
    );
  } finally {
    bar.stop();
  }
}

function stateOf({ problems, changed }: Plan): JobUpgrade['state'] {
  if (problems.length > 0) return 'blocked';
  return changed ? 'planned' : 'current';
}

function exitCodeOf(jobs: readonly JobUpgrade[]): number {
  return jobs.some(({ state }) => state === 'blocked' || state === 'failed') ? EXIT.failed : EXIT.ok;
}
