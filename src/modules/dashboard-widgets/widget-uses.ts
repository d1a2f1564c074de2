import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';
import type { JobConfigs } from '../jobs/config/job-config-service.ts';
import type { JobOptions } from '../jobs/options/job-options.ts';
import type { JobStarts } from '../jobs/start/job-starts.ts';
import type { DashboardDocuments } from './dashboard-documents.ts';
import { createWidgetExport } from './export/widget-export.ts';
import { createWidgetAction } from './input/widget-action.ts';
import { createWidgetOptions } from './input/widget-options.ts';
import { createWidgetSubmit } from './input/widget-submit.ts';
import { createWidgetRows } from './widget-rows.ts';
import type { ConnectorRefs } from './widget-source.ts';
import { USE_LIMITS, type UseLimits, type UsePool } from './widget-use.ts';
import type { WidgetUses } from './widget-viewer.ts';

export interface WidgetUsesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly pool: UsePool;
  readonly connectorRefs: ConnectorRefs;
  readonly documents: DashboardDocuments;
  readonly jobOptions: JobOptions;
  readonly jobConfigs: JobConfigs;
  readonly jobStarts: Pick<JobStarts, 'start'>;
  /** Default: `USE_LIMITS`. */
  readonly limits?: Partial<UseLimits>;
}

/** What members and share links do with single widgets. */
export function createWidgetUses({ store, limits, ...deps }: WidgetUsesDeps): WidgetUses {
  const parts = { ...deps, store, db: store.read, limits: { ...USE_LIMITS, ...limits } };
  return {
    rows: createWidgetRows(parts),
    openExport: createWidgetExport(parts),
    options: createWidgetOptions(parts),
    submit: createWidgetSubmit(parts),
    act: createWidgetAction(parts),
  };
}
