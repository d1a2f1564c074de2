import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import type { Problem } from '../../base/errors.ts';
import type { Dashboard } from '../../language/dashboard/parse-dashboard.ts';
import type { Schema } from '../../store/schema.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';

export type DashboardTemplateRow = Selectable<Schema['dashboard_templates']>;

/** A dashboard template as the API returns it. */
export function toDashboardTemplate(row: DashboardTemplateRow) {
  const { created_at, updated_at, updated_by: _by, ...rest } = row;
  return { ...rest, created_at: timestamp(created_at), updated_at: timestamp(updated_at) };
}

/** A parsed dashboard: the document for members, and the part that a share link may show. */
export interface ParsedDashboard {
  readonly dashboard: Dashboard;
  readonly publicDashboard: object;
}

/** A text that is being saved or validated, for a job template; null where that is not known. */
export interface SavingDashboard {
  readonly template: TemplateInfo | null;
}

/**
 * Parses a dashboard's YAML in the worker host; `vars` replace `${VAR}`; null leaves a template's variables unreplaced. With `saving`
 * it is also held against connectors and job template; what is stored already is read as it was.
 */
export type ParseDashboard = (
  yaml: string,
  vars: Readonly<Record<string, unknown>> | null,
  saving?: SavingDashboard,
) => Promise<
  ({ readonly ok: true } & ParsedDashboard) | { readonly ok: false; readonly problems: readonly Problem[] }
>;
