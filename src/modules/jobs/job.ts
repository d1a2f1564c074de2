import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Schema } from '../../store/schema.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { Labels } from '../definitions/label.ts';
import type { RunnableJob } from '../job-runs/job-run-start.ts';

export type JobRow = Selectable<Schema['jobs']>;

export const JOB_STATUSES = ['active', 'archived'] as const;

export type ConnectorMapping = Readonly<Record<string, number>>;

/** A job as lists return it: `connector_mapping` as JSON text, by contract. */
export function toJob(row: JobRow) {
  return {
    id: row.id,
    job_template_id: row.job_template_id,
    name: row.name,
    description: row.description,
    connector_mapping: row.connector_mapping_json,
    labels: JSON.parse(row.labels_json) as Labels,
    status: row.status,
    template_version: row.template_version,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** The job as a run needs it. */
export function toRunnable(row: JobRow): RunnableJob {
  return {
    id: row.id,
    name: row.name,
    parsed: parseJsonText(row.parsed_json) as TemplateInfo,
    config: parseJsonText(row.config_json) as Record<string, unknown>,
    mapping: JSON.parse(row.connector_mapping_json) as ConnectorMapping,
  };
}

/** A template's `args` with their defaults, for `${VAR}` and expressions of runs without other values. */
export function defaultArgs(parsed: TemplateInfo): Record<string, unknown> {
  const entries = Object.entries(parsed.args).filter(
    ([, spec]) => spec.default !== undefined && spec.default !== null,
  );
  return Object.fromEntries(entries.map(([name, spec]) => [name, spec.default]));
}
