import type { ParseDashboard } from '../../modules/dashboard-templates/dashboard-template.ts';
import type { CheckNodes, ParseTemplate } from '../../modules/job-templates/job-template-service.ts';
import type { ValidateJobConfig } from '../../modules/jobs/config/job-config-service.ts';
import type { CursorSteps } from '../../modules/jobs/job-states.ts';
import type { ParseTask } from '../../modules/tasks/task-service.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { ServicesDeps } from './services-deps.ts';

/** YAML is read in the worker host: the control plane evaluates nothing of its users. */
export function createParsers(pool: Pick<ServicesDeps['pool'], 'run'>) {
  const parseTask: ParseTask = (yaml) => pool.run({ kind: 'parse_task', input: { yaml } });
  const parseTemplate: ParseTemplate = (yaml) => pool.run({ kind: 'parse_template', input: { yaml } });
  const checkNodes: CheckNodes = (templateYaml, tasks, problems) =>
    pool.run({ kind: 'check_nodes', input: { templateYaml, tasks, problems } });
  const cursorSteps: CursorSteps = (yaml) => pool.run({ kind: 'cursor_steps', input: { yaml } });
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
  return { parseTask, parseTemplate, checkNodes, cursorSteps, parseDashboard, validateJobConfig };
}

function namesOf({ connectors, args, tasks, jobConfig }: TemplateInfo) {
  return { connectors, args: Object.keys(args), tasks: tasks.map(({ key }) => key), jobConfig };
}
