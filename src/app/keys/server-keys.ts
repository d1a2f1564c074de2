import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Cipher, createCipher } from '../../base/cipher.ts';
import { AppError } from '../../base/errors.ts';
import { closeToOthers } from '../../base/files/private-files.ts';
import { randomHex } from '../../base/ids.ts';
import type { Config } from '../../config.ts';
import { insertSecretOnce, selectSecret } from '../../modules/auth/auth-store.ts';
import type { Store } from '../../store/store.ts';
import { keyFileOf } from '../own-files.ts';

const KEY_BYTES = 32;
/** The name of the secret that proves a key, and what it is sealed for. */
export const CANARY = 'canary';
const CANARY_TEXT = 'headgate';

/**
 * The master keys, newest first: the setting, or a file beside the state that the first start makes for its owner alone. A
 * setting is required beyond loopback (`config.ts`). `NOT_READY` where the file holds no whole key.
 */
export function masterKeysOf(config: Config): string[] {
  const configured = config.security.encryption_key;
  const previous = config.security.previous_encryption_keys;
  if (configured !== null) return [configured, ...previous];
  const path = keyFileOf(config);
  if (!existsSync(path)) makeKeyFile(path);
  closeToOthers(path);
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < KEY_BYTES)
    throw new AppError(
      'NOT_READY',
      `The key file "${basename(path)}" beside the state store holds no whole key: restore it, or set SVC_ENCRYPTION_KEY`,
    );
  return [key, ...previous];
}

/** Written aside and linked into place: of two servers that start at once both read the same whole key. */
function makeKeyFile(path: string): void {
  const aside = `${path}.${randomHex(4)}`;
  writeFileSync(aside, `${randomHex(KEY_BYTES)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
}

/** A cipher that is proved to fit the store: a wrong key is no start (`NOT_READY`). */
export async function openCipher(store: Store, masterKeys: readonly string[], now: number): Promise<Cipher> {
  const cipher = createCipher(masterKeys);
  await store.write((tx) => insertSecretOnce(tx, CANARY, cipher.encrypt(CANARY_TEXT, CANARY), now));
  const sealed = await selectSecret(store.read, CANARY);
  try {
    if (sealed !== null && cipher.decrypt(sealed, CANARY) === CANARY_TEXT) return cipher;
  } catch (cause) {
    throw new AppError(
      'NOT_READY',
      'SVC_ENCRYPTION_KEY is not the key that this state store was written with',
      { cause },
    );
  }
  throw new AppError('NOT_READY', 'SVC_ENCRYPTION_KEY is not the key that this state store was written with');
}
