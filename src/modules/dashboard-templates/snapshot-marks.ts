import { sha256 } from '../../base/ids.ts';
import type { DashboardTemplateRow } from './dashboard-template.ts';

/** The template version that a dashboard was snapshotted from; null if unknown. */
export interface SnapshotMarks {
  readonly template_version: number | null;
  readonly template_yaml_hash: string | null;
}

export function marksOf({ version, yaml_content }: DashboardTemplateRow): SnapshotMarks {
  return { template_version: version, template_yaml_hash: sha256(yaml_content) };
}

/** Whether the text differs from the snapshotted one; null if that is unknown. */
export function isModified(
  row: Pick<SnapshotMarks, 'template_yaml_hash'> & { readonly yaml_content: string },
): boolean | null {
  return row.template_yaml_hash === null ? null : sha256(row.yaml_content) !== row.template_yaml_hash;
}
