import { sha256 } from '../../base/ids.ts';
import type { DashboardTemplateRow, ParsedDashboard } from '../dashboard-templates/dashboard-template.ts';
import type { DashboardRow } from './dashboard.ts';
import type { NewDashboard } from './dashboard-store.ts';

/** The parsed forms as a dashboard's row keeps them. */
export function jsonOf(parsed: ParsedDashboard): Pick<NewDashboard, 'document_json' | 'public_json'> {
  return {
    document_json: JSON.stringify(parsed.dashboard),
    public_json: JSON.stringify(parsed.publicDashboard),
  };
}

/** A template as a dashboard takes it over: its words, and which text of which version that was. */
export type Snapshot = Omit<NewDashboard, 'job_id'>;

export function snapshotOf(template: DashboardTemplateRow, parsed: ParsedDashboard): Snapshot {
  const { id, name, description, yaml_content } = template;
  return {
    dashboard_template_id: id,
    name,
    description,
    yaml_content,
    ...marksOf(template),
    ...jsonOf(parsed),
  };
}

export function marksOf({
  version,
  yaml_content,
}: DashboardTemplateRow): Pick<Snapshot, 'template_version' | 'template_yaml_hash'> {
  return { template_version: version, template_yaml_hash: sha256(yaml_content) };
}

/** Whether the text is another than the one that was snapshotted; null where it is not known which that was. */
export function isModified(row: Pick<DashboardRow, 'yaml_content' | 'template_yaml_hash'>): boolean | null {
  return row.template_yaml_hash === null ? null : sha256(row.yaml_content) !== row.template_yaml_hash;
}
