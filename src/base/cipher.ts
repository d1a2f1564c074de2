import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError } from './errors.ts';

const FORMAT = 'v1';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts small secrets at rest. `context` is authenticated with the text: a value moved elsewhere does not decrypt. */
export interface Cipher {
  encrypt(text: string, context: string): string;
  /** `INTERNAL_ERROR` where no key fits or the value was tampered with. */
  decrypt(sealed: string, context: string): string;
  /** Whether the key that encrypts now has sealed it: no other is needed to read it. */
  isCurrent(sealed: string): boolean;
  /** Public names of the master keys, the current one first. */
  readonly keyIds: readonly string[];
}

/**
 * AES-256-GCM with a data key per value, wrapped by the master key. `masterKeys[0]` encrypts; all of them may decrypt, so that
 * a key can be rotated. Form: `v1.<master key id>.<wrapped data key>.<sealed text>`, each sealed part iv + tag + ciphertext.
 * Source: NIST SP 800-38D.
 */
export function createCipher(masterKeys: readonly string[]): Cipher {
  const keys = masterKeys.map((master) => {
    if (master === '') throw new Error('a master key is empty');
    const key = createHash('sha256').update(master).digest();
    return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
  });
  const current = keys[0];
  if (current === undefined) throw new Error('a cipher needs at least one master key');
  return {
    encrypt(text, context) {
      const dataKey = randomBytes(KEY_BYTES);
      const wrapped = seal(current.key, dataKey, context);
      return [FORMAT, current.id, wrapped, seal(dataKey, Buffer.from(text), context)].join('.');
    },
    decrypt(sealed, context) {
      const [format, id, wrapped, body, ...rest] = sealed.split('.');
      const master = keys.find((key) => key.id === id);
      if (format !== FORMAT || master === undefined || rest.length > 0) throw unreadable();
      if (wrapped === undefined || body === undefined) throw unreadable();
      return open(open(master.key, wrapped, context), body, context).toString();
    },
    keyIds: keys.map(({ id }) => id),
    isCurrent: (sealed) => sealed.startsWith(`${FORMAT}.${current.id}.`),
  };
}

function unreadable(cause?: unknown): AppError {
  return new AppError('INTERNAL_ERROR', 'A stored secret cannot be decrypted with the keys of this server', {
    cause,
  });
}

function seal(key: Uint8Array, plain: Uint8Array, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(context),
  );
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** The length of the tag is fixed: without it a shortened value would be accepted on a shortened tag, which can be guessed. */
function open(key: Uint8Array, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.toString('base64url') !== sealed) throw unreadable();
  try {
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw unreadable(cause);
  }
}
