import type { DashboardContext } from '../../threads/messages/widget-calls.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { defaultArgs, type JobRow } from './job.ts';

/** What the expressions of a job's dashboards and option sources read of it. */
export function contextOf(job: JobRow): DashboardContext {
  return {
    job: { id: job.id, name: job.name, description: job.description, status: job.status },
    job_config: JSON.parse(job.config_json) as unknown,
    args: defaultArgs(parsedOf(job)),
  };
}
