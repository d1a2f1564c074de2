import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { createKeyedMutex } from '../../base/concurrency/keyed-mutex.ts';
import type { Config } from '../../config.ts';
import type { Store } from '../../store/store.ts';
import type { FailureLimit } from './failure-limit.ts';
import { createFirstUser } from './first-user.ts';
import { createKnownDevices } from './known-devices.ts';
import type { Passwords } from './password.ts';
import { createSignIn } from './sign-in.ts';
import { createTotpSecrets } from './totp-secrets.ts';

const WAITING_MAX = 100;

export interface AuthDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly passwords: Passwords;
  readonly limit: FailureLimit;
  readonly config: Config;
}

export type Auth = ReturnType<typeof createAuth>;

/** The first user, and sign-in. */
export function createAuth({ cipher, config, ...deps }: AuthDeps) {
  const attempts = {
    ...deps,
    secrets: createTotpSecrets(cipher),
    devices: createKnownDevices(cipher, deps.clock),
    runExclusive: createKeyedMutex(WAITING_MAX),
  };
  const sessionMs = config.security.session_ttl_minutes * 60_000;
  return { ...createFirstUser(attempts), ...createSignIn({ ...attempts, sessionMs }) };
}
