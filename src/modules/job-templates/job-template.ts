import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';

export type JobTemplateRow = Selectable<Schema['job_templates']>;

export function parsedOf(row: { readonly parsed_json: string }): TemplateInfo {
  return JSON.parse(row.parsed_json) as TemplateInfo;
}

/** A job template as the API returns it. */
export function toJobTemplate(row: JobTemplateRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    yaml_content: row.yaml_content,
    status: row.status,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    updated_by: row.updated_by,
  };
}

/** With `dag` and `connectors`, as `create` and `get` answer it. */
export function toJobTemplateDetail(row: JobTemplateRow) {
  const parsed = parsedOf(row);
  return { ...toJobTemplate(row), dag: parsed.dag, connectors: parsed.connectors };
}
