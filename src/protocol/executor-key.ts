import { AppError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';

const FINGERPRINT_CHARS = 16;
const REVOKED = 'revoked';
const FIELD = 'authorization';

/** The public name of an executor key: the first 16 hex digits of its SHA-256. */
export function fingerprintOf(key: string): string {
  return sha256(key).slice(0, FINGERPRINT_CHARS);
}

/** `AUTH_ERROR` of a key that was valid once and never will be again. Both bindings refuse with it. */
export function revokedKeyError(fingerprint: string): AppError {
  return new AppError(
    'AUTH_ERROR',
    `The executor key "${fingerprint}" is revoked; give the executor the server's current key`,
    { details: [{ path: FIELD, message: REVOKED }] },
  );
}

/** True for the refusal of a revoked key, on either side of the wire: no other try with that key will do. */
export function isRevokedKey(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.code === 'AUTH_ERROR' &&
    (error.details ?? []).some(({ path, message }) => path === FIELD && message === REVOKED)
  );
}
