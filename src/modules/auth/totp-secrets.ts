import type { Cipher } from '../../base/cipher.ts';
import { secretsEqual } from '../../base/ids.ts';
import type { Tx } from '../../store/store.ts';
import type { UserRow } from '../users/user.ts';
import { consumeRecovery, consumeTotpStep, updateTotp } from '../users/user-store.ts';
import { type Enrolment, makeEnrolment, matchTotp, recoveryHash } from './totp.ts';

export type TotpSecrets = ReturnType<typeof createTotpSecrets>;

/** The stored second factor of users: their encrypted TOTP secrets and the hashes of their recovery codes. */
export function createTotpSecrets(cipher: Cipher) {
  async function save(tx: Tx, userId: number, enrolment: Enrolment): Promise<void> {
    const sealed = cipher.encrypt(enrolment.secret, totpContext(userId));
    await updateTotp(tx, userId, sealed, enrolment.recovery_codes.map(recoveryHash));
  }

  /** The enrolment, until the user has confirmed it with a code; then null. */
  async function open(tx: Tx, user: UserRow): Promise<Enrolment | null> {
    if (user.totp_confirmed === 1) return null;
    if (user.totp_secret_encrypted !== null) return makeEnrolment(user.email, secretOf(user) ?? undefined);
    const enrolment = makeEnrolment(user.email);
    await save(tx, user.id, enrolment);
    return enrolment;
  }

  /** True if the code is right and unused: a TOTP code works once, and so does a recovery code. */
  async function consume(tx: Tx, user: UserRow, code: string, now: number): Promise<boolean> {
    const secret = secretOf(user);
    const step = secret === null ? null : matchTotp(secret, code, now);
    if (step !== null) return consumeTotpStep(tx, user.id, step);
    const hashes = JSON.parse(user.recovery_hashes_json) as string[];
    const hash = recoveryHash(code);
    const rest = hashes.filter((stored) => !secretsEqual(stored, hash));
    if (rest.length === hashes.length) return false;
    return consumeRecovery(tx, user.id, user.recovery_hashes_json, rest);
  }

  function secretOf(user: UserRow): string | null {
    if (user.totp_secret_encrypted === null) return null;
    return cipher.decrypt(user.totp_secret_encrypted, totpContext(user.id));
  }

  return { save, open, consume };
}

/** What a TOTP secret is encrypted for. */
export function totpContext(userId: number): string {
  return `user/${userId}/totp`;
}
