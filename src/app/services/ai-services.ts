import { createAi } from '../../modules/ai/ai-service.ts';
import { createAskModel } from '../../modules/ai/ask-model.ts';
import type { DefinitionServices } from './definition-services.ts';
import type { ServicesDeps } from './services.ts';

/** The model that writes tasks. */
export function createAiServices(
  { store, clock, modelOutbound }: Pick<ServicesDeps, 'store' | 'clock' | 'modelOutbound'>,
  { parseTask, drivers, connectorCalls, serverConfigs }: DefinitionServices,
) {
  const ai = createAi({
    store,
    clock,
    settings: serverConfigs.effective,
    askModel: createAskModel(modelOutbound.fetch),
    parseTask,
    catalogue: drivers.catalogue,
    introspect: connectorCalls.introspect,
  });
  return { ai };
}
