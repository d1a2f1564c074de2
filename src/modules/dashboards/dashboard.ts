import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../base/clock.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Dashboard } from '../../language/dashboard/parse-dashboard.ts';
import type { Schema } from '../../store/schema.ts';
import { isModified } from '../dashboard-templates/snapshot-marks.ts';

export type DashboardRow = Selectable<Schema['dashboards']>;

export function documentOf(row: { readonly document_json: string }): Dashboard {
  return parseJsonText(row.document_json) as Dashboard;
}

/** The name of one version of a document: the same text and variables always have the same. */
export function documentKey(row: { readonly id: number; readonly version: number }): string {
  return `${row.id}@${row.version}`;
}

/** A dashboard as lists give it. */
export function toDashboard(row: DashboardRow) {
  return {
    id: row.id,
    job_id: row.job_id,
    dashboard_template_id: row.dashboard_template_id,
    name: row.name,
    description: row.description,
    yaml_content: row.yaml_content,
    template_version: row.template_version,
    modified: isModified(row),
    shared: row.share_token_hash !== null,
    share_expires_at: timestampOrNull(row.share_expires_at),
    share_has_password: row.share_password_hash !== null,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** With the normalized document: always pages. */
export function toDashboardDetail(row: DashboardRow) {
  return { ...toDashboard(row), document: documentOf(row) as unknown as Record<string, unknown> };
}
