import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `bytes` random bytes as lower-case hex. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** A URL-safe token of random bits, 256 by default. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

/** Compares two secrets in constant time, whatever their lengths. */
export function secretsEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
