import { requireFound } from '../../base/errors.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import type { Actor } from '../audit/audit.ts';
import {
  createYamlDefinitions,
  type DefinitionsDeps,
  type PreparedYaml,
  type YamlInput,
} from '../definitions/yaml-definitions.ts';
import { templateInfo } from '../job-templates/job-template-service.ts';
import { lockJobTemplate } from '../job-templates/job-template-store.ts';
import type { DashboardTemplateRow, ParseDashboard, SavingDashboard } from './dashboard-template.ts';
import {
  deleteDashboardTemplate,
  insertDashboardTemplate,
  lockDashboardTemplate,
  selectDashboardTemplate,
  updateDashboardTemplate,
  updateDashboardTemplateStatus,
} from './dashboard-template-store.ts';

export interface DashboardTemplatesDeps extends DefinitionsDeps {
  readonly parseDashboard: ParseDashboard;
}

export interface DashboardTemplateInput extends YamlInput {
  readonly name: string;
}

/** With the job template that it is held against. */
type SavedInput = DashboardTemplateInput & SavingDashboard;

/** The job template that a dashboard template belongs to. */
interface Place {
  readonly jobTemplateId: number;
}

export type DashboardTemplates = ReturnType<typeof createDashboardTemplates>;

/** Dashboard YAML of a job template, snapshotted onto each job made from it. */
export function createDashboardTemplates({ store, clock, parseDashboard }: DashboardTemplatesDeps) {
  const { create, update, ...templates } = createYamlDefinitions<
    DashboardTemplateRow,
    SavedInput,
    null,
    PreparedYaml,
    Place
  >(
    { store, clock },
    {
      noun: 'dashboard template',
      async parse(yaml, { template }) {
        const parsed = await parseDashboard(yaml, null, { template });
        return parsed.ok ? { ok: true, info: null } : parsed;
      },
      prepare: preparedDashboardTemplate,
      lock: lockDashboardTemplate,
      insert: insertDashboardTemplate,
      update: updateDashboardTemplate,
      setStatus: updateDashboardTemplateStatus,
      remove: deleteDashboardTemplate,
      auditUpdate: (before, after) => ({ version: [before.version, after.version] }),
    },
  );

  return {
    ...templates,

    async create(jobTemplateId: number, input: DashboardTemplateInput, actor: Actor) {
      const template = await templateInfo(store.read, jobTemplateId);
      return create({ ...input, template }, actor, async (tx) => {
        // Locked: a job being made from it gets either all of its dashboards or does not see this one.
        requireFound(await lockJobTemplate(tx, store.dialect, jobTemplateId), 'job template', jobTemplateId);
        return { jobTemplateId };
      });
    },

    async update(id: number, input: DashboardTemplateInput, expected: ExpectedVersions, actor: Actor) {
      const before = requireFound(await selectDashboardTemplate(store.read, id), 'dashboard template', id);
      const template = await templateInfo(store.read, before.job_template_id);
      return update(id, { ...input, template }, expected, actor);
    },
  };
}

export function preparedDashboardTemplate(input: DashboardTemplateInput): PreparedYaml {
  return { name: input.name, description: input.description ?? null, yaml: input.yaml_content };
}
