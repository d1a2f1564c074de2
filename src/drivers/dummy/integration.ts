import { z } from 'zod';
import { type Connection, ConnectorError } from '../driver.ts';
import type { AccountsPage, AccountsRequest, OauthApp } from '../integration.ts';

const account = z.strictObject({
  id: z.string(),
  label: z.string().nullable().default(null),
  tenant_id: z.string(),
  integration_name: z.string(),
  status: z.string().nullable().default(null),
});

/** What a dummy connector plays of integration platforms and business applications. */
export const dummyIntegration = {
  accounts: z
    .array(account)
    .max(10_000, 'Give at most 10,000 accounts')
    .optional()
    .describe('Its accounts, as on an integration platform.'),
  catalogue: z
    .strictObject({
      resources: z.array(z.strictObject({ name: z.string(), type: z.string() })).max(1_000),
      schema_error: z
        .string()
        .optional()
        .describe('The live list is unavailable, with this message; `resources` is used instead.'),
    })
    .optional()
    .describe('Resources that it lists instead of its own.'),
  oauth_app: z
    .strictObject({
      needs_byoa: z.boolean().default(true),
      configured: z.boolean().default(false),
      oauth_app_mode: z.enum(['platform_default', 'byoa']).nullable().optional(),
      client_id: z.string().optional(),
      format: z.string().nullable().optional(),
      installed_integration_id: z.string().optional(),
    })
    .optional()
    .describe('The state of the OAuth app of its integration. A new one is recorded but not remembered.'),
};

const integrationConfig = z.strictObject(dummyIntegration);
type IntegrationConfig = z.output<typeof integrationConfig>;

/** Keeps a row of what was done, where the script says so. */
export type RecordDone = (object: string, row: Readonly<Record<string, unknown>>) => Promise<void>;

/** The optional parts of a connection that the script plays; `obey` waits and fails as the script says. */
export function integrationOf(
  config: IntegrationConfig,
  obey: (signal: AbortSignal) => Promise<void>,
  record: RecordDone,
): Partial<Pick<Connection, 'accounts' | 'catalogue' | 'oauthApp'>> {
  const { accounts, catalogue, oauth_app: oauthApp } = config;
  return {
    ...(accounts !== undefined && {
      accounts: async (request, signal) => {
        await obey(signal);
        return pageOf(accounts, request);
      },
    }),
    ...(catalogue !== undefined && {
      catalogue: async (_request, signal) => {
        await obey(signal);
        const { resources, schema_error } = catalogue;
        return { resources, fallback: schema_error !== undefined, ...(schema_error && { schema_error }) };
      },
    }),
    ...(oauthApp !== undefined && {
      oauthApp: {
        get: async (signal) => {
          await obey(signal);
          return oauthApp as OauthApp;
        },
        put: async ({ client_id, format = null }, signal) => {
          await obey(signal);
          await record('oauth_app', { client_id, format });
          return { ...(oauthApp as OauthApp), configured: true, oauth_app_mode: 'byoa', client_id, format };
        },
      },
    }),
  };
}

function pageOf(
  accounts: AccountsPage['accounts'],
  { limit, cursor = '0', q = '', integration }: AccountsRequest,
): AccountsPage {
  const from = Number(cursor);
  if (!/^\d{1,9}$/.test(cursor))
    throw new ConnectorError('CONFIG', `"${cursor}" is not a cursor of this list`);
  const found = accounts.filter(
    ({ id, tenant_id, integration_name }) =>
      (id.startsWith(q) || tenant_id.includes(q)) &&
      (integration === undefined || integration_name === integration),
  );
  const next = from + limit;
  return { accounts: found.slice(from, next), next_cursor: next < found.length ? String(next) : null };
}
