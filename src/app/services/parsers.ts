import { LRUCache } from 'lru-cache';
import { sha256 } from '../../base/ids.ts';
import type { ParseDashboard } from '../../modules/dashboard-templates/dashboard-template.ts';
import type { CheckNodes, ParseTemplate } from '../../modules/job-templates/job-template-service.ts';
import type { ValidateJobConfig } from '../../modules/jobs/config/job-config-service.ts';
import type { CursorSteps } from '../../modules/jobs/job-states.ts';
import { withChildTasks } from '../../modules/tasks/child-tasks.ts';
import type { ParseTask } from '../../modules/tasks/task-service.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import { groupedByCaller } from './grouped-parses.ts';
import type { ServicesDeps } from './services-deps.ts';

/** Of valid texts, per kind of document. */
const KEPT_TEXTS_MAX = 500;
const KEPT_CHARS_MAX = 2_000_000;

interface ParsersDeps {
  readonly pool: Pick<ServicesDeps['pool'], 'run'>;
  /** Has the tasks that `run_task` steps run. */
  readonly store: Pick<ServicesDeps['store'], 'read'>;
}

/** YAML is read in the worker host: the control plane evaluates nothing of its users. */
export function createParsers({ pool, store }: ParsersDeps) {
  const parseTaskAlone: ParseTask = onceByText(groupedByCaller(pool));
  const parseTask = withChildTasks(store, parseTaskAlone, async (input) => {
    const { problems } = await pool.run({ kind: 'check_run_tasks', input });
    return problems;
  });
  const parseTemplate: ParseTemplate = onceByText((yaml) =>
    pool.run({ kind: 'parse_template', input: { yaml } }),
  );
  const checkNodes: CheckNodes = (templateYaml, tasks, problems) =>
    pool.run({ kind: 'check_nodes', input: { templateYaml, tasks, problems } });
  const cursorSteps: CursorSteps = (yaml, tasks) =>
    pool.run({ kind: 'cursor_steps', input: { yaml, tasks } });
  const parseDashboard: ParseDashboard = (yaml, vars, saving) => {
    const input = { yaml, vars: vars === null ? null : { ...vars } };
    const template = saving?.template ?? null;
    const against = { template: template === null ? null : namesOf(template) };
    return pool.run({ kind: 'parse_dashboard', input: saving === undefined ? input : { ...input, against } });
  };
  const validateJobConfig: ValidateJobConfig = (templateYaml, values, key, all = {}) =>
    pool.run({
      kind: 'validate_job_config',
      input: key === undefined ? { templateYaml, values } : { templateYaml, values, key, all },
    });
  return {
    parseTask,
    parseTaskAlone,
    parseTemplate,
    checkNodes,
    cursorSteps,
    parseDashboard,
    validateJobConfig,
  };
}

/**
 * Parses each text once, while there is room: an editor saves what was just validated, and whoever applies a folder of definitions
 * sends mostly those that are stored. Only for a document whose answer follows from its text alone.
 */
function onceByText<Answer extends { readonly ok: boolean }>(
  parse: (yaml: string) => Promise<Answer>,
): (yaml: string) => Promise<Answer> {
  const kept = new LRUCache<string, Answer>({ max: KEPT_TEXTS_MAX, maxSize: KEPT_CHARS_MAX });
  return async (yaml) => {
    const key = sha256(yaml);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const answer = await parse(yaml);
    if (answer.ok) kept.set(key, answer, { size: yaml.length });
    return answer;
  };
}

function namesOf({ connectors, args, tasks, jobConfig }: TemplateInfo) {
  return { connectors, args: Object.keys(args), tasks: tasks.map(({ key }) => key), jobConfig };
}
