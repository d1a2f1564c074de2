import { createWidgetService } from '../../modules/dashboard-widgets/widget-service.ts';
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
  const widgetService = createWidgetService({ ...deps, ...definitions, jobStarts });
  const inputEnabled = () => definitions.serverConfigs.value('public_dashboard_input_enabled');
  return {
    ...definitions,
    ...metering,
    ...execution,
    widgetService,
    ...createAiServices(deps, definitions),
    ...createSharingServices({ ...deps, inputEnabled }, definitions, widgetService),
    ...createWebhookServices(deps, metering, execution.webhookOutbox),
    ...createBundleServices(deps, definitions),
  };
}
