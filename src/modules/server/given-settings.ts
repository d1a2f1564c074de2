import type { Config } from '../../config.ts';
import type { ServerSettings, SettingKey } from './server-setting.ts';

/** Settings from the environment or the configuration file, which cannot be changed over the API. */
export type GivenSettings = Partial<ServerSettings>;

/** The destination of a key belongs to the key: whoever sets a key outside of the API also sets its destination there. */
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
    'retention.run_days': retention.run_days,
    'retention.run_keep_last': retention.run_keep_last,
    'retention.audit_days': retention.audit_days,
    'retention.log_days': retention.log_days,
    'retention.log_bytes': retention.log_bytes,
    public_dashboard_input_enabled: config.public_dashboard_input_enabled,
  };
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return Object.freeze(Object.fromEntries(given)) as GivenSettings;
}

/**
 * Whether a setting is closed to the API: every one that is set outside of it, and the destination of a key that is. Nobody
 * with access to the API alone may redirect the key to a server of their own.
 */
export function isLocked(given: GivenSettings, key: SettingKey): boolean {
  return Object.hasOwn(given, key) || (given['ai.api_key'] !== undefined && DESTINATION.includes(key));
}
