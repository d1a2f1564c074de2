import { isRecord } from '../../base/json.ts';
import type { Row } from '../driver.ts';

/** A configuration with its secrets in their places; a secret wins. */
export function mergedConfig(config: Row, secrets: Row): Row {
  const merged: Row = { ...config };
  for (const [key, secret] of Object.entries(secrets)) {
    const plain = merged[key];
    merged[key] = isRecord(plain) && isRecord(secret) ? mergedConfig(plain, secret) : secret;
  }
  return merged;
}

/** Texts of secrets, to keep them out of messages. Shorter ones would hide words of any message. */
export function secretTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.length < 4 ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretTexts) : [];
}
