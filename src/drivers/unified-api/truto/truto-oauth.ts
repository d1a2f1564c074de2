import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import type { OpenApi } from '../../http/open-api.ts';
import { valueAt } from '../../http/value-at.ts';
import type { OauthApp, OauthApps } from '../../integration.ts';
import type { UnifiedApiConfig } from '../config.ts';
import { askPlatform, withoutSecret } from '../platform-api.ts';

type Map = Readonly<Record<string, unknown>>;

/** Formats of credentials that an OAuth app belongs to. */
const OAUTH_FORMATS = ['oauth2', 'oauth'];

interface Installed {
  readonly id: string;
  readonly override: Map;
  /** Name of the credentials that have an OAuth app, and their format; null where none have. */
  readonly key: string | null;
  readonly format: string | null;
  /** Of the integration itself. */
  readonly baseClient: string;
  /** Of the environment's own app. */
  readonly ownClient: string;
}

/** The environment's own OAuth app, which stands in the `override` of the installed integration. */
export function trutoOauthApps(api: OpenApi, config: UnifiedApiConfig): OauthApps {
  return {
    get: async (signal) => stateOf(await installed(api, config, undefined, signal), config),
    put: async ({ client_id, client_secret, format }, signal) => {
      const { id, override, key, format: known } = await installed(api, config, format, signal);
      if (key === null) {
        const kind = format === undefined ? '' : ` of the format "${format}"`;
        throw new ConnectorError('CONFIG', `The integration "${config.integration}" has no OAuth app${kind}`);
      }
      const client = { client: { id: client_id, secret: client_secret } };
      const added = { credentials: { [key]: { format: known, config: client } } };
      // A PATCH replaces the override as a whole.
      const body = { override: merged(override, added) };
      const asked = {
        method: 'PATCH' as const,
        path: `environment-integration/${encodeURIComponent(id)}`,
        body,
      };
      await askPlatform(api, asked, signal).catch((error: unknown) => {
        throw withoutSecret(error, client_secret);
      });
      return stateOf(await installed(api, config, format, signal), config);
    },
  };
}

function stateOf({ id, key, format, baseClient, ownClient }: Installed, config: UnifiedApiConfig): OauthApp {
  const isUsable = baseClient !== '' && !config.needs_byoa.includes(config.integration ?? '');
  const configured = ownClient !== '';
  const mode = configured ? 'byoa' : isUsable ? 'platform_default' : null;
  return {
    needs_byoa: key !== null && !isUsable,
    configured,
    oauth_app_mode: key === null ? null : mode,
    ...(configured && { client_id: ownClient }),
    format,
    installed_integration_id: id,
  };
}

async function installed(
  api: OpenApi,
  { integration }: UnifiedApiConfig,
  format: string | undefined,
  signal: AbortSignal,
): Promise<Installed> {
  if (integration === undefined)
    throw new ConnectorError('CONFIG', 'Set "integration" of the connector to select the OAuth app');
  const queries = [{ 'integration.name': integration }];
  const answer = await askPlatform(api, { path: 'environment-integration', queries }, signal);
  const list = valueAt(answer, 'result') ?? valueAt(answer, 'results');
  const [found] = Array.isArray(list) ? list : [];
  const id = valueAt(found, 'id');
  if (typeof id !== 'string')
    throw new ConnectorError(
      'CONFIG',
      `The integration "${integration}" is not installed in the environment`,
    );
  const override = mapAt(found, 'override');
  const base = mapAt(found, 'integration.config.credentials');
  const own = mapAt(override, 'credentials');
  const all = merged(base, own);
  const key = Object.keys(all).find((name) => {
    const known = String(valueAt(all[name], 'format') ?? '');
    return OAUTH_FORMATS.includes(known) && (format === undefined || format === known || format === name);
  });
  return {
    id,
    override,
    key: key ?? null,
    format: String(valueAt(key === undefined ? Object.values(all)[0] : all[key], 'format') ?? '') || null,
    baseClient: clientOf(base, key),
    ownClient: clientOf(own, key),
  };
}

function clientOf(credentials: Map, key: string | undefined): string {
  const id = key === undefined ? null : valueAt(credentials[key], 'config.client.id');
  return typeof id === 'string' ? id : '';
}

function mapAt(value: unknown, path: string): Map {
  const found = valueAt(value, path);
  return isRecord(found) ? found : {};
}

function merged(base: Map, over: Map): Map {
  const both = Object.entries(over).map(([key, value]) => {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    return [key, isRecord(before) && isRecord(value) ? merged(before, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(both) };
}
