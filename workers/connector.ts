import { AppError, messageOf } from '../src/base/errors.ts';
import { createRedactor } from '../src/base/text/redactor.ts';
import { ConnectionCache, type ConnectorRef, type OpenConnector } from '../src/drivers/connection-cache.ts';
import { connectorAppError } from '../src/drivers/connector-app-error.ts';
import { AbsentResourceError, type Connection, ConnectorError } from '../src/drivers/driver.ts';
import type { OauthApp } from '../src/drivers/integration.ts';
import { readOnlyCall } from '../src/drivers/read-only-call.ts';
import { loadDriver } from '../src/drivers/registry.ts';
import { scopeArgs } from '../src/drivers/scope/scope-args.ts';
import type { Answer, Input } from '../src/threads/messages/calls.ts';
import { hostSettings, serveCalls } from '../src/threads/serve-calls.ts';

const ACCOUNTS_DEFAULT = 50;
/** Most rows that the call of an action may give. */
const CALL_ROWS_MAX = 10_000;

function createConnectors() {
  const cache = new ConnectionCache({ loadDriver, context: hostSettings().data });
  return serveCalls<
    'test_connector' | 'plugin_spec' | 'introspect' | 'oauth_app' | 'explore' | 'connector_call'
  >(
    {
      test_connector: async ({ connector }, signal) => {
        const from = performance.now();
        const outcome = await cache
          .use(connector, async ({ connection }) => ({
            ok: true,
            message: createRedactor(connector.secrets ?? []).text(await connection.test(signal)),
          }))
          .catch((error: unknown) => refusalOf(error));
        return { ...outcome, duration_ms: Math.round(performance.now() - from) };
      },
      plugin_spec: ({ connector }, signal) =>
        cache.use(connector, async ({ connection }) =>
          JSON.stringify(await connection.call('spec', {}, signal)),
        ),
      introspect: (input, signal) =>
        cache
          .use(input.connector, ({ connection }) => introspect(connection, input, signal))
          .catch(rethrowAbsent),
      oauth_app: ({ connector, put }, signal) =>
        cache.use(withSecret(connector, put?.client_secret), async ({ connection: { oauthApp } }) => {
          if (oauthApp === undefined) return { app: null };
          return {
            app: plainOf(await (put === undefined ? oauthApp.get(signal) : oauthApp.put(put, signal))),
          };
        }),
      explore: ({ connector, request }, signal) =>
        cache
          .use(connector, async ({ connection }) =>
            JSON.stringify(await connection.page({ ...request, signal })),
          )
          .catch(rethrowAbsent),
      connector_call: ({ connector, method, args, fields }, signal) =>
        cache.use(connector, async (open) => {
          const scoped = scopeArgs(open.driver, method, args, fields);
          return JSON.stringify((await callMethod(open, method, scoped, signal)) ?? null);
        }),
    },
    { toAppError: connectorAppError, onClose: () => cache.close() },
  );
}

async function introspect(
  connection: Connection,
  { resource, options, catalogue = {}, accounts }: Input<'introspect'>,
  signal: AbortSignal,
): Promise<Answer<'introspect'>> {
  // An integration platform has resources of an account only.
  if (resource === undefined && catalogue.accountId === undefined && connection.accounts !== undefined)
    return connection.accounts(accounts ?? { limit: ACCOUNTS_DEFAULT }, signal);
  if (resource === undefined && connection.catalogue !== undefined)
    return connection.catalogue(catalogue, signal);
  if (resource === undefined)
    return { resources: [...(await connection.listResources(signal))], fallback: false };
  const { accountId } = catalogue;
  const more = accountId === undefined ? options : { ...options, accountId };
  return { columns: [...(await connection.describe(resource, signal, more))] };
}

/** The public fields of an OAuth app: whatever else a driver returns stays here. */
function plainOf(app: OauthApp): OauthApp {
  const { needs_byoa, configured, oauth_app_mode = null, client_id, format = null } = app;
  const { installed_integration_id: installed } = app;
  return {
    needs_byoa,
    configured,
    oauth_app_mode,
    format,
    ...(client_id === undefined ? {} : { client_id }),
    ...(installed === undefined ? {} : { installed_integration_id: installed }),
  };
}

/** The connector, of which a text more may not be told. */
function withSecret(connector: ConnectorRef, secret: string | undefined): ConnectorRef {
  const { secrets = [] } = connector;
  return secret === undefined ? connector : { ...connector, secrets: [...secrets, secret] };
}

/** Any method that the driver has, once; one that reads is held to reading. */
async function callMethod(
  { driver, connection }: OpenConnector,
  name: string,
  args: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const method = driver.methods.find((candidate) => candidate.name === name);
  if (method === undefined) {
    const names = driver.methods.map((candidate) => `"${candidate.name}"`).join(', ');
    throw new ConnectorError(
      'CONFIG',
      `A connector of type "${driver.type}" has no method "${name}"; its methods are ${names}`,
    );
  }
  if (method.kind === 'write') return connection.call(name, args, signal);
  return readOnlyCall(driver, connection, { method: name, args, rowsMax: CALL_ROWS_MAX, signal });
}

/** What a test of a connector is there to report; anything else is a fault of this program. */
function refusalOf(error: unknown): { ok: false; message: string; code: string } {
  if (error instanceof ConnectorError) return { ok: false, message: messageOf(error), code: error.fault };
  throw error;
}

/** A resource that somebody asks for by its name is looked for, and not found. */
function rethrowAbsent(error: unknown): never {
  if (error instanceof AbsentResourceError) throw new AppError('NOT_FOUND', error.message, { cause: error });
  throw error;
}

export default createConnectors();
