import { createWidgetUses } from '../../modules/dashboard-widgets/widget-uses.ts';
import { createDefinitionServices } from './definitions.ts';
import { createExecutionServices } from './execution.ts';
import {
  createAiServices,
  createBundleServices,
  createMeteringServices,
  createSharingServices,
  createWebhookServices,
} from './platform.ts';
import type { ServicesDeps } from './services-deps.ts';

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
