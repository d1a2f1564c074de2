import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, type Problem, requireFound, validationError } from '../../base/errors.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { Actor, AuditOrigin } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { nameJobs } from '../definitions/name-jobs.ts';
import { selectTasksByName } from '../tasks/task-store.ts';
import type { JobTemplateRow } from './job-template.ts';
import {
  deleteJobTemplate,
  insertJobTemplate,
  lockJobTemplate,
  nameTaken,
  selectJobsOfTemplate,
  selectJobTemplate,
  selectJobTemplateByName,
  selectJobTemplateVersion,
  updateJobTemplate,
  updateJobTemplateStatus,
} from './job-template-store.ts';
import { nodeProblems, taskNamesOf } from './node-problems.ts';

/** Parses a template's YAML in the worker host. */
export type ParseTemplate = (
  yaml: string,
) => Promise<
  | { readonly ok: true; readonly info: TemplateInfo }
  | { readonly ok: false; readonly problems: readonly Problem[] }
>;

export interface JobTemplatesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly parseTemplate: ParseTemplate;
}

export interface JobTemplateInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly yaml_content: string;
}

/** A template whose text was parsed, as a transaction stores it. */
export interface PreparedTemplate {
  readonly name: string;
  readonly description: string | null;
  readonly yaml: string;
  readonly parsed: TemplateInfo;
}

export interface TemplateValidation {
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export type JobTemplates = ReturnType<typeof createJobTemplates>;

/**
 * Job templates: a DAG of tasks by name. A template may name tasks that come later: definitions are written and imported in any
 * order, and the contract asks for them only when a job is created. Where a named task does exist, its connectors must fit.
 */
export function createJobTemplates({ store, clock, parseTemplate }: JobTemplatesDeps) {
  const audit = createAudit(clock);

  async function prepare(input: JobTemplateInput): Promise<PreparedTemplate> {
    const parsed = await parseTemplate(input.yaml_content);
    if (!parsed.ok) throw validationError(parsed.problems);
    return preparedTemplate(input, parsed.info);
  }

  async function requireFit(tx: Tx, parsed: TemplateInfo): Promise<void> {
    const { mismatched } = nodeProblems(parsed, await selectTasksByName(tx, taskNamesOf(parsed)));
    if (mismatched.length > 0) throw validationError(mismatched);
  }

  async function lockedTemplate(tx: Tx, id: number): Promise<JobTemplateRow> {
    return requireFound(await lockJobTemplate(tx, store.dialect, id), 'job template', id);
  }

  /** What `create` would refuse, as `problems`; tasks that a job will need and that do not exist yet, as `warnings`. */
  async function validate(yaml: string): Promise<TemplateValidation> {
    const parsed = await parseTemplate(yaml);
    if (!parsed.ok) return { valid: false, problems: parsed.problems, warnings: [] };
    const tasks = await selectTasksByName(store.read, taskNamesOf(parsed.info));
    const { missing, mismatched } = nodeProblems(parsed.info, tasks);
    return { valid: mismatched.length === 0, problems: mismatched, warnings: missing };
  }

  async function create(input: JobTemplateInput, actor: Actor): Promise<JobTemplateRow> {
    const prepared = await prepare(input);
    return store.write((tx) => createInside(tx, prepared, actor));
  }

  /** As `create`, in a transaction of the caller's, who has parsed the text before it. */
  async function createInside(
    tx: Tx,
    prepared: PreparedTemplate,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<JobTemplateRow> {
    await requireFit(tx, prepared.parsed);
    const row = await insertJobTemplate(tx, { ...prepared, by: actor.name, now: clock.now() });
    await audit(tx, actor, 'job_template.create', row.id, origin);
    return row;
  }

  async function update(
    id: number,
    input: JobTemplateInput,
    expected: number | null,
    actor: Actor,
  ): Promise<JobTemplateRow> {
    const prepared = await prepare(input);
    return store.write(async (tx) => {
      const before = await lockedTemplate(tx, id);
      requireVersion(expected, before.version);
      return updateInside(tx, before, prepared, actor);
    });
  }

  /** As `update`, in a transaction of the caller's, who holds `before`. */
  async function updateInside(
    tx: Tx,
    before: JobTemplateRow,
    prepared: PreparedTemplate,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<JobTemplateRow> {
    const { id } = before;
    const same = before.yaml_content === prepared.yaml && before.name === prepared.name;
    if (same && before.description === prepared.description) return before;
    const other = await selectJobTemplateByName(tx, prepared.name);
    if (other !== null && other.id !== id) throw nameTaken(prepared.name);
    await requireFit(tx, prepared.parsed);
    const write = { ...prepared, by: actor.name, now: clock.now() };
    const row = await updateJobTemplate(tx, id, before.version + 1, write);
    const diff = { version: [before.version, row.version], name: [before.name, row.name], ...origin };
    await audit(tx, actor, 'job_template.update', id, diff);
    return row;
  }

  /** A new version with the YAML of an old one; name and description stay. */
  async function restore(
    id: number,
    version: number,
    expected: number | null,
    actor: Actor,
  ): Promise<JobTemplateRow> {
    const [row, old] = await Promise.all([
      selectJobTemplate(store.read, id),
      selectJobTemplateVersion(store.read, id, version),
    ]);
    if (row === null) throw notFound('job template', id);
    if (old === null) throw new AppError('NOT_FOUND', `The job template "${id}" has no version "${version}"`);
    const { name, description } = row;
    return update(id, { name, description, yaml_content: old.yaml_content }, expected, actor);
  }

  async function remove(id: number, expected: number | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedTemplate(tx, id);
      requireVersion(expected, row.version);
      const jobs = await selectJobsOfTemplate(tx, id);
      if (jobs.length > 0) {
        throw new AppError(
          'CONFLICT',
          `The job template "${row.name}" has the jobs ${nameJobs(jobs)}: archive it instead`,
        );
      }
      await deleteJobTemplate(tx, id);
      await audit(tx, actor, 'job_template.delete', id, { name: row.name });
    });
  }

  async function setStatus(id: number, status: 'active' | 'archived', actor: Actor): Promise<JobTemplateRow> {
    return store.write(async (tx) => {
      const before = await lockedTemplate(tx, id);
      if (before.status === status) return before;
      const row = await updateJobTemplateStatus(tx, id, status);
      await audit(tx, actor, 'job_template.status', id, { status: [before.status, status] });
      return row;
    });
  }

  return { create, createInside, update, updateInside, restore, remove, setStatus, validate };
}

/** What is stored of a template; its description as it was given, or the text's own. */
export function preparedTemplate(input: JobTemplateInput, parsed: TemplateInfo): PreparedTemplate {
  const description = input.description === undefined ? parsed.description : input.description;
  return { name: input.name, description, yaml: input.yaml_content, parsed };
}
