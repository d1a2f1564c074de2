import type { Cipher } from '../../base/cipher.ts';
import type { ConnectorRow } from './connector.ts';
import type { ClearConfig } from './connector-config.ts';

/** The two columns of a configuration: what may be read, and the ciphertext of what may not. */
export interface SealedConfig {
  readonly configJson: string;
  readonly secretsJson: string;
}

/**
 * Takes the secrets out of a configuration and encrypts each for its place, `connector/<id>/<key>`: a ciphertext that is moved
 * to another connector or key does not decrypt. The id and not the name, so that a connector can be renamed.
 */
export function sealConfig(
  cipher: Cipher,
  id: number,
  secretKeys: readonly string[],
  config: ClearConfig,
): SealedConfig {
  const open: Record<string, unknown> = {};
  const sealed: Record<string, string> = {};
  for (const [key, value] of Object.entries(config)) {
    if (!secretKeys.includes(key)) open[key] = value;
    else if (value !== undefined)
      sealed[key] = cipher.encrypt(JSON.stringify(value), connectorSecretContext(id, key));
  }
  return { configJson: JSON.stringify(open), secretsJson: JSON.stringify(sealed) };
}

/** The stored configuration with its secrets in clear, for a worker or an executor and nobody else. */
export function openConfig(
  cipher: Cipher,
  row: Pick<ConnectorRow, 'id' | 'config_json' | 'secrets_json'>,
): ClearConfig {
  const sealed = JSON.parse(row.secrets_json) as Record<string, string>;
  const secrets = Object.entries(sealed).map(([key, text]) => {
    return [key, JSON.parse(cipher.decrypt(text, connectorSecretContext(row.id, key))) as unknown] as const;
  });
  return { ...(JSON.parse(row.config_json) as ClearConfig), ...Object.fromEntries(secrets) };
}

/** Every text that is secret in a configuration: the values of its secret fields to any depth, and passwords within URLs. */
export function secretTextsOf(cipher: Cipher, row: Pick<ConnectorRow, 'id' | 'secrets_json'>): string[] {
  return secretTextsIn(openConfig(cipher, { ...row, config_json: '{}' }));
}

/** Every text of values that are secret in clear, to any depth, and passwords within URLs. */
export function secretTextsIn(secrets: unknown): string[] {
  return textsOf(secrets).flatMap((text) => [text, ...passwordOf(text)]);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsOf);
}

function passwordOf(text: string): string[] {
  const password = URL.parse(text)?.password ?? '';
  if (password === '') return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** What a secret of a connector is sealed for. */
export function connectorSecretContext(id: number, key: string): string {
  return `connector/${id}/${key}`;
}
