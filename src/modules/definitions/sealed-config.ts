import type { Cipher } from '../../base/cipher.ts';
import { isRecord } from '../../base/json.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';

/** The mask shown for a secret. Written back, it keeps the stored value. */
export const SECRET_MASK = '********';

/** A configuration with its secrets in clear. */
export type ClearConfig = Readonly<Record<string, unknown>>;

/** The two columns of a configuration: what anybody may read, with masks where objects of secrets have a value, and the ciphertexts. */
export interface SealedConfig {
  readonly config_json: string;
  readonly secrets_json: string;
}

/**
 * Takes the secrets out of a configuration and encrypts each for its place, such as `connector/7/password`: a ciphertext that is
 * moved to another record or key does not decrypt. `owner` is `connector/7`: by id, so that a record can be renamed.
 */
export function sealConfig(
  cipher: Cipher,
  owner: string,
  secretKeys: readonly string[],
  config: ClearConfig,
): SealedConfig {
  const open: Record<string, unknown> = {};
  const sealed: Record<string, string> = {};
  for (const [key, value] of Object.entries(config)) {
    if (!secretKeys.includes(key)) open[key] = value;
    else if (value !== undefined) {
      sealed[key] = cipher.encrypt(JSON.stringify(value), secretContext(owner, key));
      if (isRecord(value)) open[key] = masksOf(value);
    }
  }
  return { config_json: JSON.stringify(open), secrets_json: JSON.stringify(sealed) };
}

/** The stored configuration with its secrets in clear, for whatever connects with it and nobody else. */
export function openConfig(cipher: Cipher, owner: string, row: SealedConfig): ClearConfig {
  const sealed = JSON.parse(row.secrets_json) as Record<string, string>;
  const secrets = Object.entries(sealed).map(([key, text]) => {
    return [key, parseJsonText(cipher.decrypt(text, secretContext(owner, key)))] as const;
  });
  return { ...(parseJsonText(row.config_json) as ClearConfig), ...Object.fromEntries(secrets) };
}

/** The stored configuration as the API returns it: its secrets masked, those of an object each by itself. */
export function maskedConfig(row: SealedConfig): Record<string, unknown> {
  const masks = sealedKeysOf(row).map((key) => [key, SECRET_MASK] as const);
  const open = parseJsonText(row.config_json) as Record<string, unknown>;
  return { ...Object.fromEntries(masks), ...open };
}

/** The stored configuration without its secrets. */
export function openPartOf(row: SealedConfig): Record<string, unknown> {
  const sealed = sealedKeysOf(row);
  const open = Object.entries(parseJsonText(row.config_json) as object);
  return Object.fromEntries(open.filter(([key]) => !sealed.includes(key)));
}

function sealedKeysOf({ secrets_json }: SealedConfig): string[] {
  return Object.keys(JSON.parse(secrets_json) as object);
}

/** The keys of an object of secrets, to any depth, with a mask in place of each value. */
function masksOf(secrets: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const masks = Object.entries(secrets).map(([key, value]) => [
    key,
    isRecord(value) ? masksOf(value) : SECRET_MASK,
  ]);
  return Object.fromEntries(masks);
}

/** What the secret of a record is encrypted for. */
export function secretContext(owner: string, key: string): string {
  return `${owner}/${key}`;
}
