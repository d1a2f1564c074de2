import type { Clock } from '../../base/clock.ts';
import { notFound, requireFound, validationError } from '../../base/errors.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor, AuditOrigin } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { lockJobTemplate } from '../job-templates/job-template-store.ts';
import type { DashboardTemplateRow, ParseDashboard } from './dashboard-template.ts';
import {
  deleteDashboardTemplate,
  insertDashboardTemplate,
  lockDashboardTemplate,
  updateDashboardTemplate,
  updateDashboardTemplateStatus,
} from './dashboard-template-store.ts';

export interface DashboardTemplatesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly parseDashboard: ParseDashboard;
}

export interface DashboardTemplateInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly yaml_content: string;
}

export type DashboardTemplates = ReturnType<typeof createDashboardTemplates>;

/** Dashboard YAML that belongs to a job template and is snapshotted onto each job that is made from it. */
export function createDashboardTemplates({ store, clock, parseDashboard }: DashboardTemplatesDeps) {
  const audit = createAudit(clock);

  async function check(yaml: string): Promise<void> {
    const parsed = await parseDashboard(yaml, null);
    if (!parsed.ok) throw validationError(parsed.problems);
  }

  async function lockedTemplate(tx: Tx, id: number): Promise<DashboardTemplateRow> {
    return requireFound(await lockDashboardTemplate(tx, store.dialect, id), 'dashboard template', id);
  }

  async function create(
    jobTemplateId: number,
    input: DashboardTemplateInput,
    actor: Actor,
  ): Promise<DashboardTemplateRow> {
    await check(input.yaml_content);
    return store.write(async (tx) => {
      // Held: a job that is being made from it has either all of its dashboards or does not see this one.
      if ((await lockJobTemplate(tx, store.dialect, jobTemplateId)) === null)
        throw notFound('job template', jobTemplateId);
      return createInside(tx, jobTemplateId, input, actor);
    });
  }

  /** As `create`, in a transaction of the caller's, who holds the job template and has had the text checked. */
  async function createInside(
    tx: Tx,
    jobTemplateId: number,
    input: DashboardTemplateInput,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<DashboardTemplateRow> {
    const row = await insertDashboardTemplate(tx, jobTemplateId, writeOf(input, actor, clock.now()));
    await audit(tx, actor, 'dashboard_template.create', row.id, origin);
    return row;
  }

  async function update(
    id: number,
    input: DashboardTemplateInput,
    expected: number | null,
    actor: Actor,
  ): Promise<DashboardTemplateRow> {
    await check(input.yaml_content);
    return store.write(async (tx) => {
      const before = await lockedTemplate(tx, id);
      requireVersion(expected, before.version);
      return updateInside(tx, before, input, actor);
    });
  }

  /** As `update`, in a transaction of the caller's, who holds `before` and has had the text checked. */
  async function updateInside(
    tx: Tx,
    before: DashboardTemplateRow,
    input: DashboardTemplateInput,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<DashboardTemplateRow> {
    const same = before.yaml_content === input.yaml_content && before.name === input.name;
    if (same && before.description === (input.description ?? null)) return before;
    const write = writeOf(input, actor, clock.now());
    const row = await updateDashboardTemplate(tx, before.id, before.version + 1, write);
    const diff = { version: [before.version, row.version], ...origin };
    await audit(tx, actor, 'dashboard_template.update', row.id, diff);
    return row;
  }

  async function remove(id: number, expected: number | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedTemplate(tx, id);
      requireVersion(expected, row.version);
      await deleteDashboardTemplate(tx, id);
      await audit(tx, actor, 'dashboard_template.delete', id, { name: row.name });
    });
  }

  async function setStatus(
    id: number,
    status: 'active' | 'archived',
    actor: Actor,
  ): Promise<DashboardTemplateRow> {
    return store.write(async (tx) => {
      const before = await lockedTemplate(tx, id);
      if (before.status === status) return before;
      const row = await updateDashboardTemplateStatus(tx, id, status);
      await audit(tx, actor, 'dashboard_template.status', id, { status: [before.status, status] });
      return row;
    });
  }

  return { create, createInside, update, updateInside, remove, setStatus };
}

function writeOf({ name, description, yaml_content }: DashboardTemplateInput, actor: Actor, now: number) {
  return { name, description: description ?? null, yaml: yaml_content, by: actor.name, now };
}
