import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Cipher, createCipher } from '../../base/cipher.ts';
import { AppError } from '../../base/errors.ts';
import { closeToOthers } from '../../base/files/private-files.ts';
import { randomHex } from '../../base/ids.ts';
import type { Config } from '../../config.ts';
import { insertSecretOnce, selectSecret } from '../../modules/auth/auth-store.ts';
import type { Db, Store } from '../../store/store.ts';
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

/** The master keys as far as there are any: unlike a start, it makes none. */
function presentMasterKeysOf(config: Config): string[] {
  const hasKey = config.security.encryption_key !== null || existsSync(keyFileOf(config));
  return hasKey ? masterKeysOf(config) : [...config.security.previous_encryption_keys];
}

/** The name of the key that a store was written with; null where it was never started. */
export async function keyIdOf(db: Db): Promise<string | null> {
  const sealed = await selectSecret(db, CANARY);
  return sealed === null ? null : keyIdIn(sealed);
}

function keyIdIn(sealed: string): string | null {
  return sealed.split('.')[1] ?? null;
}

/** `NOT_READY` where no key of the settings, and no key file, fits the store: missing and wrong are told apart. Makes no key. */
export async function requireKey(db: Db, config: Config): Promise<void> {
  const sealed = await selectSecret(db, CANARY);
  if (sealed === null) return;
  const keys = presentMasterKeysOf(config);
  if (keys.length === 0) throw new AppError('NOT_READY', `There is no master key here; ${neededBy(sealed)}`);
  const isFile = config.security.encryption_key === null && existsSync(keyFileOf(config));
  requireFit(createCipher(keys), sealed, isFile ? `The key file "${basename(keyFileOf(config))}"` : SETTING);
}

const SETTING = 'SVC_ENCRYPTION_KEY';

function requireFit(cipher: Cipher, sealed: string, source: string): void {
  try {
    prove(cipher, sealed);
  } catch {
    const message = `${source} is not the key that this state store was written with. The master key here is ${cipher.keyIds.join(', ')}, and ${neededBy(sealed)}`;
    throw new AppError('NOT_READY', message);
  }
}

function neededBy(sealed: string): string {
  return `the store needs key ${keyIdIn(sealed)}: set ${SETTING} to it, or put its key file beside the state store`;
}

/** Throws where the cipher has not the key that sealed the canary. */
function prove(cipher: Cipher, sealed: string): void {
  if (cipher.decrypt(sealed, CANARY) !== CANARY_TEXT) throw new Error('the canary holds another text');
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

/** The cipher of a server. The key file is made for a new store alone: beside another it would only hide which key is missing. */
export async function openServerCipher(store: Store, config: Config, now: number): Promise<Cipher> {
  await requireKey(store.read, config);
  return openCipher(store, masterKeysOf(config), now);
}

/** A cipher that is proved to fit the store: a wrong key is no start (`NOT_READY`). */
export async function openCipher(store: Store, masterKeys: readonly string[], now: number): Promise<Cipher> {
  const cipher = createCipher(masterKeys);
  await store.write((tx) => insertSecretOnce(tx, CANARY, cipher.encrypt(CANARY_TEXT, CANARY), now));
  const sealed = await selectSecret(store.read, CANARY);
  if (sealed === null) throw new AppError('INTERNAL_ERROR', 'There is no canary');
  requireFit(cipher, sealed, SETTING);
  return cipher;
}
