import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../base/ids.ts';
import { fingerprintOf, revokedKeyError } from './executor-key.ts';

/** The executor keys as they are now. */
export interface KeyRing {
  /** Those that are valid; two during rotation. None lets nobody in. */
  readonly keys: () => readonly string[];
  /** Whether a key, by its fingerprint, was revoked: its holder gets that as the reason. */
  readonly isRevokedKey?: (fingerprint: string) => boolean;
}

/** The fingerprint of the valid key that was presented, else null. `AUTH_ERROR` that says so for a revoked one. */
export type ProveKey = (presented: string) => string | null;

/** Compares with every key, whichever fits, by digests of one length, so that the time taken says nothing. */
export function createKeyProof(ring: KeyRing): ProveKey {
  const digests = new Map<string, Buffer>();

  function digestOf(key: string): Buffer {
    const known = digests.get(key);
    if (known !== undefined) return known;
    const made = Buffer.from(sha256(key), 'hex');
    digests.set(key, made);
    return made;
  }

  return (presented) => {
    const digest = Buffer.from(sha256(presented), 'hex');
    let isKnown = false;
    for (const key of ring.keys()) {
      isKnown = (timingSafeEqual(digestOf(key), digest) && key !== '') || isKnown;
    }
    const fingerprint = fingerprintOf(presented);
    if (isKnown) return fingerprint;
    if (ring.isRevokedKey?.(fingerprint)) throw revokedKeyError(fingerprint);
    return null;
  };
}
