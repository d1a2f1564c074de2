import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { randomToken } from '../../base/ids.ts';

const KNOWN_MS = 365 * 86_400_000;

/** What a browser keeps of a sign-in. */
export interface DeviceCookie {
  readonly name: string;
  readonly value: string;
  readonly expiresAt: number;
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/**
 * Browsers that have signed in to an account before. Failures of others do not lock them out: each is counted by itself. The
 * cookie proves no identity, the password and a code are still needed; it is sealed for its user, and nothing is stored for it.
 * Source: OWASP, Slow Down Online Guessing Attacks with Device Cookies.
 */
export function createKnownDevices(cipher: Cipher, clock: Clock) {
  /** The device of these cookies, or null if it is not known to the user. */
  function deviceOf(userId: number, cookies: Readonly<Record<string, string | undefined>>): string | null {
    const sealed = cookies[cookieNameOf(userId)];
    if (sealed === undefined) return null;
    try {
      const [device = '', until] = cipher.decrypt(sealed, contextOf(userId)).split(' ');
      return Number(until) > clock.now() ? device : null;
    } catch {
      return null;
    }
  }

  /** A cookie for another year, after a sign-in. `device`: the known one, or null for a new one. */
  function issue(userId: number, device: string | null): DeviceCookie {
    const expiresAt = clock.now() + KNOWN_MS;
    const value = cipher.encrypt(`${device ?? randomToken()} ${expiresAt}`, contextOf(userId));
    return { name: cookieNameOf(userId), value, expiresAt };
  }

  return { deviceOf, issue };
}

const cookieNameOf = (userId: number) => `svc_device_${userId}`;
const contextOf = (userId: number) => `user/${userId}/device`;
