import { ConnectionCache } from '../src/drivers/connection-cache.ts';
import { loadDriver } from '../src/drivers/registry.ts';
import { hostSettings, serveCalls } from '../src/threads/serve-calls.ts';
import { widgetAppError } from '../src/widget-data/reader-message.ts';
import { type WidgetCall, widgetHandlers } from '../src/widget-data/widget-handlers.ts';
import { WidgetKit } from '../src/widget-data/widget-kit.ts';

function createWidgets() {
  const connections = new ConnectionCache({ loadDriver, context: hostSettings().data });
  return serveCalls<WidgetCall>(widgetHandlers(new WidgetKit(connections)), {
    toAppError: widgetAppError,
    onClose: () => connections.close(),
  });
}

export default createWidgets();
