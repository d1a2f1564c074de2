import type { DefinitionServices } from './definition-services.ts';
import { createAi } from './modules/ai/ai-service.ts';
import { createAskModel } from './modules/ai/ask-model.ts';
import type { ServicesDeps } from './services.ts';

/** The model that writes tasks. */
export function createAiServices(
  { store, clock }: Pick<ServicesDeps, 'store' | 'clock'>,
  { parseTask, drivers, connectorCalls, serverConfigs }: DefinitionServices,
) {
  // The one way out to a provider: a `fetch` that holds to a policy of addresses goes in here.
  const { fetch } = globalThis;
  const ai = createAi({
    store,
    clock,
    settings: serverConfigs.effective,
    askModel: createAskModel(fetch),
    parseTask,
    catalogue: drivers.catalogue,
    introspect: connectorCalls.introspect,
  });
  return { ai };
}
