import type { Clock } from '../../base/clock.ts';
import { notFound, validationError } from '../../base/errors.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor, AuditOrigin } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
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
  async function check(yaml: string): Promise<void> {
    const parsed = await parseDashboard(yaml, null);
    if (!parsed.ok) throw validationError(parsed.problems);
  }

  async function lockedTemplate(tx: Tx, id: number): Promise<DashboardTemplateRow> {
    const row = await lockDashboardTemplate(tx, store.dialect, id);
    if (row === null) throw notFound('dashboard template', id);
    return row;
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
    const now = clock.now();
    const row = await insertDashboardTemplate(tx, jobTemplateId, writeOf(input, actor, now));
    const resourceType = 'dashboard_template';
    const entry = { action: 'dashboard_template.create', resourceType, resourceId: row.id };
    await insertAudit(tx, actor, origin === undefined ? entry : { ...entry, diff: origin }, now);
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
    const now = clock.now();
    const version = before.version + 1;
    const row = await updateDashboardTemplate(tx, before.id, version, writeOf(input, actor, now));
    const diff = { version: [before.version, version], ...origin };
    await insertAudit(
      tx,
      actor,
      { action: 'dashboard_template.update', resourceType: 'dashboard_template', resourceId: row.id, diff },
      now,
    );
    return row;
  }

  async function remove(id: number, expected: number | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedTemplate(tx, id);
      requireVersion(expected, row.version);
      await deleteDashboardTemplate(tx, id);
      const entry = {
        action: 'dashboard_template.delete',
        resourceType: 'dashboard_template',
        resourceId: id,
        diff: { name: row.name },
      };
      await insertAudit(tx, actor, entry, clock.now());
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
      const diff = { status: [before.status, status] };
      await insertAudit(
        tx,
        actor,
        { action: 'dashboard_template.status', resourceType: 'dashboard_template', resourceId: id, diff },
        clock.now(),
      );
      return row;
    });
  }

  return { create, createInside, update, updateInside, remove, setStatus };
}

function writeOf({ name, description, yaml_content }: DashboardTemplateInput, actor: Actor, now: number) {
  return { name, description: description ?? null, yaml: yaml_content, by: actor.name, now };
}
