import { AppError } from '../../base/errors.ts';
import { randomToken, sha256 } from '../../base/ids.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { hasUsers, insertUser } from '../users/user-store.ts';
import { deleteSecretsOf, insertSecretOnce, selectSecret } from './auth-store.ts';
import { networkOf } from './failure-limit.ts';
import type { Passwords } from './password.ts';
import {
  type Attempt,
  type AttemptDeps,
  actorOf,
  anonymous,
  entryOf,
  namesOf,
  noteFailure,
  type Origin,
} from './sign-in-attempt.ts';
import { type Enrolment, makeEnrolment } from './totp.ts';
import type { TotpSecrets } from './totp-secrets.ts';

/** Every start without a user prints a token of its own: of several servers on one store, all tokens are valid. */
const SETUP_TOKENS = 'setup_token/';
const SETUP_TOKEN_MS_MAX = 86_400_000;

export interface FirstUserDeps extends AttemptDeps {
  readonly passwords: Passwords;
  readonly secrets: TotpSecrets;
}

/** The setup of a new server: its first superadmin. */
export function createFirstUser(deps: FirstUserDeps) {
  const { store, clock, passwords, secrets, runExclusive } = deps;
  const setupRequired = async () => !(await hasUsers(store.read));

  /** A new one-time token for the console as long as there is no user, then null. Valid for a day, or until the setup. */
  async function issueSetupToken(): Promise<string | null> {
    if (!(await setupRequired())) return null;
    const token = randomToken();
    const now = clock.now();
    await store.write(async (tx) => {
      await deleteSecretsOf(tx, SETUP_TOKENS, now - SETUP_TOKEN_MS_MAX);
      await insertSecretOnce(tx, SETUP_TOKENS + sha256(token), '', now);
    });
    return token;
  }

  /** Creates the first superadmin, once, and returns its TOTP enrolment. */
  async function setup(
    input: { token: string; email: string; name: string; password: string },
    origin: Origin,
  ): Promise<Enrolment> {
    const subjects = [{ name: `setup:${networkOf(origin.address)}`, bound: 'client' }] as const;
    const attempt = { subjects, account: null, ...anonymous('auth.setup', origin) };
    await runExclusive(namesOf(attempt), () => requireSetupToken(deps, input.token, attempt));
    const passwordHash = await passwords.hash(input.password, { about: [input.email, input.name] });
    const enrolment = makeEnrolment(input.email);
    await store.write(async (tx) => {
      const now = clock.now();
      // All of them: of two setups with different tokens, the second waits here and finds none.
      const tokens = await deleteSecretsOf(tx, SETUP_TOKENS, null);
      const mine = tokens.includes(SETUP_TOKENS + sha256(input.token));
      if (!mine || (await hasUsers(tx))) throw setUpAlready();
      const { email, name } = input;
      const user = await insertUser(tx, { email, name, role: 'superadmin', passwordHash }, now);
      await secrets.save(tx, user.id, enrolment);
      await insertAudit(tx, actorOf(user, origin), entryOf('auth.setup', user.id), now);
    });
    return enrolment;
  }

  return { setupRequired, issueSetupToken, setup };
}

async function requireSetupToken(deps: AttemptDeps, token: string, attempt: Attempt): Promise<void> {
  const { store, clock, limit } = deps;
  if (await hasUsers(store.read)) throw setUpAlready();
  await limit.require(attempt, clock.now());
  // Looked up by its hash, which nobody can choose: the timing reveals nothing.
  if ((await selectSecret(store.read, SETUP_TOKENS + sha256(token))) !== null) return;
  // The setup that took the tokens may have ended between the two checks.
  if (await hasUsers(store.read)) throw setUpAlready();
  await noteFailure(deps, attempt);
  throw new AppError(
    'AUTH_ERROR',
    'The setup token is wrong: the server prints it on its console when it starts',
  );
}

function setUpAlready(): AppError {
  return new AppError('CONFLICT', 'The server is already set up: sign in');
}
