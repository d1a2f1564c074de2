import { sha256 } from '../../base/ids.ts';
import type { DashboardTemplateRow } from './dashboard-template.ts';

/** What a dashboard keeps of the template that it was snapshotted from; null where that is not known. */
export interface SnapshotMarks {
  readonly template_version: number | null;
  readonly template_yaml_hash: string | null;
}

export function marksOf({ version, yaml_content }: DashboardTemplateRow): SnapshotMarks {
  return { template_version: version, template_yaml_hash: sha256(yaml_content) };
}

/** Whether the text is another than the one that was snapshotted; null where it is not known which that was. */
export function isModified(
  row: Pick<SnapshotMarks, 'template_yaml_hash'> & { readonly yaml_content: string },
): boolean | null {
  return row.template_yaml_hash === null ? null : sha256(row.yaml_content) !== row.template_yaml_hash;
}
