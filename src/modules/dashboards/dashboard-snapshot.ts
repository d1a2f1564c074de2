import type { DashboardTemplateRow, ParsedDashboard } from '../dashboard-templates/dashboard-template.ts';
import { marksOf } from '../dashboard-templates/snapshot-marks.ts';
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
