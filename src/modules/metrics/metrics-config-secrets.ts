import type { Cipher } from '../../base/cipher.ts';
import { SECRET_KEYS } from '../../metering/backend-config.ts';
import { backendOf, type MetricsConfigRow, type MetricsConfigSettings } from './metrics-config.ts';

/** The two columns of a configuration: what may be read, and the ciphertext of what may not. */
export interface SealedMetricsConfig {
  readonly config_json: string;
  readonly secrets_json: string;
}

/**
 * Takes the secrets out of a configuration and encrypts each for its place, `metrics_config/<id>/<key>`: a ciphertext that is
 * moved to another row or key does not decrypt.
 */
export function sealMetricsConfig(
  cipher: Cipher,
  id: number,
  { backend, config }: Pick<MetricsConfigSettings, 'backend' | 'config'>,
): SealedMetricsConfig {
  const open: Record<string, unknown> = {};
  const sealed: Record<string, string> = {};
  for (const [key, value] of Object.entries(config)) {
    if (!SECRET_KEYS[backend].includes(key)) open[key] = value;
    else if (value !== undefined)
      sealed[key] = cipher.encrypt(JSON.stringify(value), metricsSecretContext(id, key));
  }
  return { config_json: JSON.stringify(open), secrets_json: JSON.stringify(sealed) };
}

/** The stored settings with their secrets in clear, for the backend itself and nobody else. */
export function openSettings(cipher: Cipher, row: MetricsConfigRow): MetricsConfigSettings {
  const sealed = JSON.parse(row.secrets_json) as Record<string, string>;
  const secrets = Object.entries(sealed).map(([key, text]) => {
    return [key, JSON.parse(cipher.decrypt(text, metricsSecretContext(row.id, key))) as unknown] as const;
  });
  const open = JSON.parse(row.config_json) as Record<string, unknown>;
  return {
    name: row.name,
    backend: backendOf(row),
    config: { ...open, ...Object.fromEntries(secrets) },
    enabled: row.enabled === 1,
  };
}

/** What a secret of a backend is sealed for. */
export function metricsSecretContext(id: number, key: string): string {
  return `metrics_config/${id}/${key}`;
}
