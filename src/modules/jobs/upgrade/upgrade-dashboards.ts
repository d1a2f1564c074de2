import type { Problem } from '../../../base/errors.ts';
import type { DiffBudget } from '../../../base/text/diff-budget.ts';
import type { Tx } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import type { JobRow } from '../job.ts';

/** The change of one dashboard of a job, or of one that the job does not have yet. */
export interface DashboardChange {
  /** Null for one that will be made. */
  readonly dashboard_id: number | null;
  readonly dashboard_template_id: number;
  readonly name: string;
  /**
   * `unchanged`: it has the template's words already. `skip_modified`: it was changed since it was made, or that is not known, and
   * stays. `skip_archived`: its template is archived.
   */
  readonly action: 'add' | 'update' | 'unchanged' | 'skip_modified' | 'skip_archived';
  readonly modified: boolean | null;
  readonly from_version: number | null;
  readonly to_version: number;
  /** From the dashboard's YAML to the template's. */
  readonly diff: string;
}

export interface DashboardsRequest {
  readonly job: JobRow;
  /** The values of the templates' `${VAR}`s, and whether they have changed. */
  readonly vars: Readonly<Record<string, unknown>>;
  readonly varsChanged: boolean;
  /** Null: all that differ, and those that the job lacks. */
  readonly ids: readonly number[] | null;
  readonly force: boolean;
  readonly diffs: DiffBudget;
}

/** The dashboards' part of an upgrade, parsed and not yet written. */
export interface PreparedDashboards {
  readonly changes: readonly DashboardChange[];
  readonly problems: readonly Problem[];
  /** The versions that all of it was made from. */
  readonly madeFrom: readonly string[];
  /** In the upgrade's transaction; `changed`: what it was made from is no longer so, and nothing was written. */
  readonly write: (tx: Tx, actor: Actor, now: number) => Promise<'written' | 'changed'>;
}

/** Reads and parses the future dashboards of a job, outside any transaction. Supplied by the dashboards module. */
export type PrepareDashboardUpgrade = (request: DashboardsRequest) => Promise<PreparedDashboards>;
