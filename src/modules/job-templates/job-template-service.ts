import { type Problem, validationError } from '../../base/errors.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import {
  createRestore,
  createYamlDefinitions,
  type DefinitionsDeps,
  type Parsed,
  type PreparedYaml,
  type YamlInput,
} from '../definitions/yaml-definitions.ts';
import { selectTasksByName } from '../tasks/task-store.ts';
import type { JobTemplateRow } from './job-template.ts';
import {
  deleteJobTemplate,
  insertJobTemplate,
  jobTemplateVersions,
  lockJobTemplate,
  selectJobsOfTemplate,
  selectJobTemplate,
  selectJobTemplatesByName,
  updateJobTemplate,
  updateJobTemplateStatus,
} from './job-template-store.ts';
import { nodeProblems, taskNamesOf } from './node-problems.ts';

/** Parses a template's YAML in the worker host. */
export type ParseTemplate = (yaml: string) => Promise<Parsed<TemplateInfo>>;

export interface JobTemplatesDeps extends DefinitionsDeps {
  readonly parseTemplate: ParseTemplate;
}

export interface JobTemplateInput extends YamlInput {
  readonly name: string;
}

/** A template whose text was parsed, as a transaction stores it. */
export interface PreparedTemplate extends PreparedYaml {
  readonly parsed: TemplateInfo;
}

export interface TemplateValidation {
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export type JobTemplates = ReturnType<typeof createJobTemplates>;

/**
 * Job templates: a DAG of tasks by name. A template may name tasks that do not exist yet: definitions are written and imported
 * in any order, and the contract requires them only when a job is created. If a named task does exist, its connectors must fit.
 */
export function createJobTemplates({ store, clock, parseTemplate }: JobTemplatesDeps) {
  const templates = createYamlDefinitions<JobTemplateRow, JobTemplateInput, TemplateInfo, PreparedTemplate>(
    { store, clock },
    {
      noun: 'job template',
      parse: parseTemplate,
      prepare: preparedTemplate,
      lock: lockJobTemplate,
      insert: insertJobTemplate,
      update: updateJobTemplate,
      setStatus: updateJobTemplateStatus,
      remove: deleteJobTemplate,
      selectNamed: selectJobTemplatesByName,
      requireFit: requireFittingTasks,
      usedBy: { select: selectJobsOfTemplate, words: 'has the jobs' },
    },
  );
  const versions = {
    noun: 'job template',
    select: selectJobTemplate,
    selectVersion: jobTemplateVersions.select,
  };
  const restore = createRestore(store, { ...versions, update: templates.update });
  return { ...templates, restore, validate: validateWith(store, parseTemplate) };
}

/** Reasons for `create` to refuse, as `problems`; tasks that a job will need but that do not exist yet, as `warnings`. */
function validateWith(store: Store, parseTemplate: ParseTemplate) {
  return async (yaml: string): Promise<TemplateValidation> => {
    const parsed = await parseTemplate(yaml);
    if (!parsed.ok) return { valid: false, problems: parsed.problems, warnings: [] };
    const tasks = await selectTasksByName(store.read, taskNamesOf(parsed.info));
    const { missing, mismatched } = nodeProblems(parsed.info, tasks);
    return { valid: mismatched.length === 0, problems: mismatched, warnings: missing };
  };
}

async function requireFittingTasks(tx: Tx, { parsed }: PreparedTemplate): Promise<void> {
  const { mismatched } = nodeProblems(parsed, await selectTasksByName(tx, taskNamesOf(parsed)));
  if (mismatched.length > 0) throw validationError(mismatched);
}

/** A template as it is stored; the description defaults to the one in the text. */
export function preparedTemplate(input: JobTemplateInput, parsed: TemplateInfo): PreparedTemplate {
  const description = input.description === undefined ? parsed.description : input.description;
  return { name: input.name, description, yaml: input.yaml_content, parsed };
}
