import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Config } from '../../config.ts';
import { createWidgetUses } from '../../modules/dashboard-widgets/widget-uses.ts';
import type { Store } from '../../store/store.ts';
import type { WorkerPool } from '../../threads/pool.ts';
import type { OutboundWays } from '../outbound-ways.ts';
import { createAiServices } from './ai-services.ts';
import { createBundleServices } from './bundle-services.ts';
import { createDefinitionServices } from './definition-services.ts';
import { createExecutionServices } from './execution-services.ts';
import { createMeteringServices } from './metering-services.ts';
import { createSharingServices } from './sharing-services.ts';
import { createWebhookServices } from './webhook-services.ts';

export interface ServicesDeps extends OutboundWays {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cipher: Cipher;
  readonly pool: WorkerPool;
}

export type Services = ReturnType<typeof createServices>;

/** Every module's service, each given the narrowest thing that it needs. Opens nothing and starts nothing but the log's writer. */
export function createServices(deps: ServicesDeps) {
  const definitions = createDefinitionServices(deps);
  const metering = createMeteringServices(deps);
  const execution = createExecutionServices(deps, definitions, metering);
  const { jobStarts } = execution;
  const widgetUses = createWidgetUses({ ...deps, ...definitions, jobStarts });
  const inputEnabled = () => definitions.serverConfigs.value('public_dashboard_input_enabled');
  return {
    ...definitions,
    ...metering,
    ...execution,
    widgetUses,
    ...createAiServices(deps, definitions),
    ...createSharingServices({ ...deps, inputEnabled }, definitions, widgetUses),
    ...createWebhookServices(deps, metering),
    ...createBundleServices(deps, definitions),
  };
}
