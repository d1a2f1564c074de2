import type { Clock } from '../../base/clock.ts';
import { notFound, requireFound, validationError } from '../../base/errors.ts';
import { type ExpectedVersions, requireVersion } from '../../http/etag.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type {
  DashboardTemplateRow,
  ParseDashboard,
  ParsedDashboard,
} from '../dashboard-templates/dashboard-template.ts';
import { selectDashboardTemplatesOf } from '../dashboard-templates/dashboard-template-store.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { defaultArgs } from '../jobs/job.ts';
import type { PrepareDashboards } from '../jobs/job-service.ts';
import { selectJob } from '../jobs/job-store.ts';
import type { DashboardRow } from './dashboard.ts';
import { jsonOf, snapshotOf } from './dashboard-snapshot.ts';
import {
  deleteDashboard,
  insertDashboard,
  lockDashboard,
  selectDashboard,
  updateDashboard,
} from './dashboard-store.ts';

export interface DashboardsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly parseDashboard: ParseDashboard;
}

export interface DashboardInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly yaml_content: string;
}

export type Dashboards = ReturnType<typeof createDashboards>;

/** Dashboards of jobs. */
export function createDashboards({ store, clock, parseDashboard }: DashboardsDeps) {
  async function update(
    id: number,
    input: DashboardInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<DashboardRow> {
    const found = await selectDashboard(store.read, id);
    const job = found === null ? null : await selectJob(store.read, found.job_id);
    if (found === null || job === null) throw notFound('dashboard', id);
    const template = parsedOf(job);
    const parsed = await parseDashboard(input.yaml_content, defaultArgs(template), { template });
    if (!parsed.ok) throw validationError(parsed.problems);
    return store.write(async (tx) => {
      const before = await lockedDashboard(tx, store.dialect, id);
      requireVersion(expected, before.version);
      const description = input.description ?? null;
      const same = before.yaml_content === input.yaml_content && before.name === input.name;
      if (same && before.description === description) return before;
      const now = clock.now();
      const change = { name: input.name, description, yaml_content: input.yaml_content, ...jsonOf(parsed) };
      const row = await updateDashboard(tx, before, change, now);
      const diff = { version: [before.version, row.version] };
      await insertAudit(
        tx,
        actor,
        { action: 'dashboard.update', resourceType: 'dashboard', resourceId: id, diff },
        now,
      );
      return row;
    });
  }

  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedDashboard(tx, store.dialect, id);
      requireVersion(expected, row.version);
      await deleteDashboard(tx, id);
      const entry = {
        action: 'dashboard.delete',
        resourceType: 'dashboard',
        resourceId: id,
        diff: { name: row.name },
      };
      await insertAudit(tx, actor, entry, clock.now());
    });
  }

  return { prepare: preparing(store, parseDashboard), update, remove };
}

/** Parsing happens here, before the transaction; inside, a template that has changed since is noticed. */
function preparing(store: Store, parseDashboard: ParseDashboard): PrepareDashboards {
  return async (jobTemplateId, vars) => {
    const templates = await activeTemplates(store.read, jobTemplateId);
    const prepared = await Promise.all(
      templates.map(async (template) => ({
        template,
        parsed: await parseSnapshot(parseDashboard, template, vars),
      })),
    );
    return async (tx, jobId, now) => {
      const current = await activeTemplates(tx, jobTemplateId);
      if (stampOf(current) !== stampOf(templates)) return 'changed';
      for (const { template, parsed } of prepared) {
        await insertDashboard(tx, { job_id: jobId, ...snapshotOf(template, parsed) }, now);
      }
      return 'written';
    };
  };
}

async function activeTemplates(db: Db, jobTemplateId: number): Promise<DashboardTemplateRow[]> {
  const templates = await selectDashboardTemplatesOf(db, jobTemplateId);
  return templates.filter((row) => row.status === 'active');
}

function stampOf(rows: readonly { readonly id: number; readonly version: number }[]): string {
  return rows.map((row) => `${row.id}@${row.version}`).join();
}

/** The problems name the template: whoever creates a job did not write it. */
async function parseSnapshot(
  parseDashboard: ParseDashboard,
  { name, yaml_content }: DashboardTemplateRow,
  vars: Readonly<Record<string, unknown>>,
): Promise<ParsedDashboard> {
  const parsed = await parseDashboard(yaml_content, vars);
  if (parsed.ok) return parsed;
  const where = (message: string) => `The dashboard template "${name}" cannot be used: ${message}`;
  throw validationError(parsed.problems.map((problem) => ({ ...problem, message: where(problem.message) })));
}

async function lockedDashboard(tx: Tx, dialect: Store['dialect'], id: number): Promise<DashboardRow> {
  return requireFound(await lockDashboard(tx, dialect, id), 'dashboard', id);
}
