import { type Problem, requireFound, validationError } from '../../base/errors.ts';
import type { NodeFindings, TaskText } from '../../language/template/check-nodes.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import {
  createRestore,
  createYamlDefinitions,
  type DefinitionsDeps,
  type Parsed,
  type PreparedYaml,
  type YamlInput,
} from '../definitions/yaml-definitions.ts';
import { selectTaskNames, selectTasksByName } from '../tasks/task-store.ts';
import { type JobTemplateRow, parsedOf } from './job-template.ts';
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

/** Holds the nodes of a template's YAML against tasks, in the worker host; `problems` are those found before. */
export type CheckNodes = (
  templateYaml: string,
  tasks: readonly TaskText[],
  problems: readonly Problem[],
) => Promise<NodeFindings>;

/** Parses a template's YAML in the worker host. */
export type ParseTemplate = (yaml: string) => Promise<Parsed<TemplateInfo>>;

export interface JobTemplatesDeps extends DefinitionsDeps {
  readonly parseTemplate: ParseTemplate;
  readonly checkNodes: CheckNodes;
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
  /** Null where the text does not parse. */
  readonly parsed: TemplateInfo | null;
}

export type JobTemplates = ReturnType<typeof createJobTemplates>;

/**
 * Job templates: a DAG of tasks by name. A template may name tasks that do not exist yet: definitions are written and imported
 * in any order, and the contract requires them only when a job is created. If a named task does exist, its connectors must fit.
 */
export function createJobTemplates({ store, clock, ...parsers }: JobTemplatesDeps) {
  const validate = validateWith(store, parsers);
  const templates = createYamlDefinitions<JobTemplateRow, JobTemplateInput, TemplateInfo, PreparedTemplate>(
    { store, clock },
    {
      noun: 'job template',
      async parse(yaml) {
        const { parsed, problems } = await validate(yaml);
        return parsed === null || problems.length > 0 ? { ok: false, problems } : { ok: true, info: parsed };
      },
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
  return { ...templates, restore, validate };
}

/**
 * Reasons for `create` to refuse, as `problems`; as `warnings` tasks that a job will need but that do not exist yet, and arguments
 * that nothing reads.
 */
function validateWith(
  store: Store,
  { parseTemplate, checkNodes }: Pick<JobTemplatesDeps, 'parseTemplate' | 'checkNodes'>,
) {
  return async (yaml: string): Promise<TemplateValidation> => {
    const read = await parseTemplate(yaml);
    if (!read.ok) return { valid: false, problems: read.problems, warnings: [], parsed: null };
    const names = taskNamesOf(read.info);
    const tasks = await selectTasksByName(store.read, names);
    const others = tasks.length < names.length ? await selectTaskNames(store.read) : [];
    const { missing, mismatched } = nodeProblems(read.info, tasks, others);
    const texts = tasks.map(({ name, yaml_content }) => ({ name, yaml: yaml_content }));
    const found = await checkNodes(yaml, texts, [...mismatched, ...missing]);
    const absent = new Set(missing.map(({ path }) => path));
    const problems = found.problems.filter(({ path }) => !absent.has(path));
    const warnings = [...found.problems.filter(({ path }) => absent.has(path)), ...found.warnings];
    return { valid: problems.length === 0, problems, warnings, parsed: read.info };
  };
}

/** What a job template says; `NOT_FOUND` where it does not exist, null for none. */
export async function templateInfo(db: Db, id: number | undefined): Promise<TemplateInfo | null> {
  if (id === undefined) return null;
  return parsedOf(requireFound(await selectJobTemplate(db, id), 'job template', id));
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
