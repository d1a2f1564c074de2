import type { Store } from '../../store/store.ts';
import type { ParseDashboard } from '../dashboard-templates/dashboard-template.ts';
import { type JobTemplates, templateInfo } from '../job-templates/job-template-service.ts';
import type { ParseTask } from '../tasks/task-service.ts';
import type { GenerateDeps } from './generate-definition.ts';

export interface ChecksDeps {
  readonly store: Pick<Store, 'read'>;
  readonly parseTask: ParseTask;
  readonly parseDashboard: ParseDashboard;
  readonly jobTemplates: Pick<JobTemplates, 'validate'>;
}

/**
 * The validators of the API for what a model writes. What is a warning for people who write a job template first is a problem here: the model
 * is shown the tasks that exist, and may name no other.
 */
export function createChecks({
  store,
  parseTask,
  parseDashboard,
  jobTemplates,
}: ChecksDeps): GenerateDeps['check'] {
  return {
    async task(yaml) {
      const parsed = await parseTask(yaml);
      return parsed.ok ? [] : parsed.problems;
    },
    async 'job-template'(yaml) {
      const { problems, warnings } = await jobTemplates.validate(yaml);
      return [...problems, ...warnings];
    },
    async dashboard(yaml, jobTemplateId) {
      const template = await templateInfo(store.read, jobTemplateId);
      const parsed = await parseDashboard(yaml, null, { template });
      return parsed.ok ? [] : parsed.problems;
    },
  };
}
