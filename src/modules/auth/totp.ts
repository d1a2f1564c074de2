import { createHmac } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { renderSVG } from 'uqr';
import { sha256 } from '../../base/ids.ts';

/** SHA-1, 30 s, 6 digits, one step to either side, as every authenticator app supports. Source: RFC 6238. */
const TOLERANCE_SECONDS = 30;
const RECOVERY_CODES = 10;
/** 80 bits: their hashes can be stored without salt, because no code can be guessed from its hash. */
const RECOVERY_HEX_DIGITS = 20;

export interface Enrolment {
  readonly otpauth_url: string;
  readonly secret: string;
  /** The URL as a QR code for an authenticator app. */
  readonly qr_svg: string;
  /** Each works once in place of a code; shown until the first code is accepted. */
  readonly recovery_codes: readonly string[];
}

/**
 * A new enrolment, or that of `secret` again. Recovery codes are derived from the secret, so that an unfinished enrolment can
 * be shown again unchanged.
 */
export function makeEnrolment(email: string, secret: string = generateSecret()): Enrolment {
  const otpauth_url = generateURI({ issuer: 'Headgate', label: email, secret });
  const recovery_codes = Array.from({ length: RECOVERY_CODES }, (_, index) => recoveryCode(secret, index));
  return { otpauth_url, secret, qr_svg: renderSVG(otpauth_url), recovery_codes };
}

function recoveryCode(secret: string, index: number): string {
  const digits = createHmac('sha256', secret).update(`recovery/${index}`).digest('hex');
  return digits.slice(0, RECOVERY_HEX_DIGITS).replace(/.{5}(?=.)/g, '$&-');
}

/** Normalizes a typed code: spaces, dashes and upper case do not matter. */
export function plainCode(text: string): string {
  return text.replace(/[\s-]/g, '').toLowerCase();
}

/** The stored form of a recovery code. */
export function recoveryHash(code: string): string {
  return sha256(plainCode(code));
}

/** The time step of `code`, or null if it is wrong. */
export function matchTotp(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1_000),
    epochTolerance: TOLERANCE_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
