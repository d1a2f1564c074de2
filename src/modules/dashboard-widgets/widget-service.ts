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
import { WIDGET_LIMITS, type WidgetLimits, type WidgetPool, type WidgetService } from './widget-viewer.ts';

export interface WidgetServiceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly pool: WidgetPool;
  readonly connectorRefs: ConnectorRefs;
  readonly documents: DashboardDocuments;
  readonly jobOptions: JobOptions;
  readonly jobConfigs: JobConfigs;
  readonly jobStarts: Pick<JobStarts, 'start'>;
  /** Default: `WIDGET_LIMITS`. */
  readonly limits?: Partial<WidgetLimits>;
}

/** What members and share links do with single widgets. */
export function createWidgetService({ store, limits, ...deps }: WidgetServiceDeps): WidgetService {
  const parts = { ...deps, store, db: store.read, limits: { ...WIDGET_LIMITS, ...limits } };
  return {
    rows: createWidgetRows(parts),
    openExport: createWidgetExport(parts),
    options: createWidgetOptions(parts),
    submit: createWidgetSubmit(parts),
    act: createWidgetAction(parts),
  };
}
