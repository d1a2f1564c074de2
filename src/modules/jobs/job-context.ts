import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { DashboardContext } from '../../threads/messages/widget-calls.ts';
import { type ConnectorMapping, defaultArgs, type JobRow } from './job.ts';

/** The values of a job that the expressions of its dashboards and option sources read. */
export function contextOf(job: JobRow, template: TemplateInfo): DashboardContext {
  return {
    job: { id: job.id, name: job.name, description: job.description, status: job.status },
    job_config: parseJsonText(job.config_json),
    args: defaultArgs(template),
  };
}

/** A job's connector mapping, without unused names. */
export function mappingOf(job: JobRow, used: readonly string[]): ConnectorMapping {
  const mapping = JSON.parse(job.connector_mapping_json) as ConnectorMapping;
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => used.includes(name)));
}
