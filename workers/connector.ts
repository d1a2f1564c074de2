import { messageOf } from '../src/base/errors.ts';
import { ConnectionCache } from '../src/drivers/connection-cache.ts';
import { connectorAppError } from '../src/drivers/connector-app-error.ts';
import { type Connection, ConnectorError } from '../src/drivers/driver.ts';
import { createDrivers } from '../src/drivers/registry.ts';
import type { Answer, Input } from '../src/threads/messages.ts';
import { hostSettings, serveTasks } from '../src/threads/serve-tasks.ts';

function createConnectors() {
  const cache = new ConnectionCache({ drivers: createDrivers(), context: hostSettings().data });
  return serveTasks<'test_connector' | 'introspect' | 'explore'>(
    {
      test_connector: async ({ connector }, signal) => {
        const from = performance.now();
        const outcome = await cache
          .use(connector, async ({ connection }) => ({ ok: true, message: await connection.test(signal) }))
          .catch((error: unknown) => refusalOf(error));
        return { ...outcome, duration_ms: Math.round(performance.now() - from) };
      },
      introspect: (input, signal) =>
        cache.use(input.connector, ({ connection }) => introspect(connection, input, signal)),
      explore: ({ connector, request }, signal) =>
        cache.use(connector, async ({ connection }) =>
          JSON.stringify(await connection.page({ ...request, signal })),
        ),
    },
    { toAppError: connectorAppError, onClose: () => cache.close() },
  );
}

async function introspect(
  connection: Connection,
  { resource, options }: Input<'introspect'>,
  signal: AbortSignal,
): Promise<Answer<'introspect'>> {
  if (resource === undefined) return { resources: [...(await connection.listResources(signal))] };
  return { columns: [...(await connection.describe(resource, signal, options))] };
}

/** What a test of a connector exists to tell; anything else is a fault of this program. */
function refusalOf(error: unknown): { ok: false; message: string } {
  if (error instanceof ConnectorError) return { ok: false, message: messageOf(error) };
  throw error;
}

export default createConnectors();
