import type { Config } from '../../config.ts';
import type { ServerSettings, SettingKey } from './server-setting.ts';

/** What the environment or the configuration file says: those keys cannot be changed over the API. */
export type GivenSettings = Partial<ServerSettings>;

/** Where a key goes belongs to the key: who gives one outside of the API says there where it is sent, too. */
const DESTINATION: readonly SettingKey[] = ['ai.provider', 'ai.base_url'];

export function givenSettings(
  config: Pick<Config, 'ai' | 'retention' | 'public_dashboard_input_enabled'>,
): GivenSettings {
  const { ai, retention } = config;
  const settings: { readonly [K in SettingKey]?: ServerSettings[K] | null } = {
    'ai.provider': ai.provider,
    'ai.api_key': ai.api_key,
    'ai.base_url': ai.base_url,
    'ai.model': ai.model,
    'retention.log_days': retention.log_days,
    'retention.log_bytes': retention.log_bytes,
    public_dashboard_input_enabled: config.public_dashboard_input_enabled,
  };
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return Object.freeze(Object.fromEntries(given)) as GivenSettings;
}

/**
 * Whether the key is closed to the API. Besides what is given itself that is the destination of a key that is given: nobody with
 * the API alone may have it sent to a server of their own.
 */
export function isLocked(given: GivenSettings, key: SettingKey): boolean {
  return Object.hasOwn(given, key) || (given['ai.api_key'] !== undefined && DESTINATION.includes(key));
}
