import { isIP } from 'node:net';
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Role } from '../http/access.ts';
import { cliActor } from '../modules/audit/audit.ts';
import { insertAudit } from '../modules/audit/audit-store.ts';
import { deleteSessionsOf, unlockAccount, unlockNetwork } from '../modules/auth/auth-store.ts';
import { networkOf } from '../modules/auth/failure-limit.ts';
import { createPasswords } from '../modules/auth/password.ts';
import {
  emailInput,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  passwordInput,
  toUser,
  type UserRecord,
  type UserRow,
} from '../modules/users/user.ts';
import { createUsers, type Manager, type UserPatch } from '../modules/users/user-service.ts';
import { selectUserByEmail, selectUsers } from '../modules/users/user-store.ts';
import type { Db, Store } from '../store/store.ts';
import { readPassword } from './kit/ask-person.ts';
import { CommandError } from './kit/command-error.ts';
import { type CommandOutput, printable } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { withLocalStore } from './kit/local-store.ts';
import { perform } from './kit/perform.ts';
import { layOutTable } from './kit/text/lay-out-table.ts';

const PAGE_ROWS = 200;
const HEAD = ['id', 'email', 'name', 'role', 'status', 'TOTP'];

/** Whoever runs a command beside the store has all rights over it already. */
const manager: Manager = { actor: cliActor, role: 'superadmin' };

interface JsonOption {
  readonly json: boolean;
}

/** What is done to one user: `user.ts` of the command line gives the email, and gets the user as it then is. */
export type UserAction =
  | { readonly kind: 'create'; readonly name: string; readonly role: Role }
  | { readonly kind: 'change'; readonly patch: UserPatch }
  | { readonly kind: 'reset-totp' }
  | { readonly kind: 'unlock' }
  | { readonly kind: 'reset-password'; readonly generate: boolean };

/** Oldest first. */
async function everyUser(db: Db, role: Role | undefined): Promise<UserRecord[]> {
  const users: UserRecord[] = [];
  for (let after = null as { value: number; id: number } | null; ; ) {
    const page = { column: 'id', descending: false, after, limit: PAGE_ROWS, bound: '' } as const;
    const rows = await selectUsers(db, { role }, page);
    const kept = rows.slice(0, PAGE_ROWS);
    users.push(...kept.map(toUser));
    const last = kept.at(-1);
    if (last === undefined || rows.length === kept.length) return users;
    after = { value: last.id, id: last.id };
  }
}

/** `headgate user list`: everybody who may sign in, oldest first. */
export async function listUsers(options: JsonOption & { readonly role?: Role }): Promise<number> {
  return perform(options, (out) =>
    withLocalStore(async (store) => {
      const users = await everyUser(store.read, options.role);
      if (out.isJson) out.json({ result: users });
      const rows = users.map((user) => [
        String(user.id),
        printable(user.email),
        printable(user.name),
        user.role,
        user.status,
        user.totp_enabled ? 'yes' : 'no',
      ]);
      for (const line of layOutTable([HEAD, ...rows], HEAD.length)) out.line(line);
      return EXIT.ok;
    }),
  );
}

/**
 * `headgate user create|set-role|disable|enable|unlock|reset-totp|reset-password`: changes one user in the state store, with an audit row
 * whose actor is `cli`. The last active superadmin stays one (exit code 1).
 */
export async function changeUser(email: string, action: UserAction, options: JsonOption): Promise<number> {
  return perform(options, async (out) => {
    requireEmail(email);
    // Asked for before the store is opened: nothing is held while somebody types.
    const password = needsPassword(action) ? await checkedPassword() : undefined;
    return withLocalStore((store) => carryOut(store, { email, action, password }, out), {
      mayBeNew: action.kind === 'create',
    });
  });
}

function requireEmail(email: string): void {
  if (!emailInput.safeParse(email).success)
    throw new CommandError(EXIT.usage, `"${email}" is not an email address`);
}

function needsPassword(action: UserAction): boolean {
  return action.kind === 'create' || (action.kind === 'reset-password' && !action.generate);
}

export interface UnlockOptions extends JsonOption {
  readonly address?: string;
}

/**
 * `headgate user unlock [email] [--address …]`: forgets failed sign-ins of a user, from a network, or both. With `--json` the user, and
 * under `network` what was freed.
 */
export async function unlock(email: string | undefined, options: UnlockOptions): Promise<number> {
  const { address } = options;
  if (email !== undefined && address === undefined) return changeUser(email, { kind: 'unlock' }, options);
  return perform(options, async (out) => {
    if (address === undefined) throw new CommandError(EXIT.usage, 'Pass an email address, --address or both');
    if (isIP(address) === 0) throw new CommandError(EXIT.usage, `"${address}" is not an IP address`);
    if (email !== undefined) requireEmail(email);
    return withLocalStore(async (store) => {
      const network = networkOf(address);
      const freed = await store.write(async (tx) => {
        const failures = await unlockNetwork(tx, network);
        const entry = { action: 'user.unlock', resourceType: 'user', resourceId: null };
        await insertAudit(tx, cliActor, { ...entry, diff: { network, failures } }, systemClock.now());
        return failures;
      });
      const found = { network: { address: network, failures: freed } };
      out.line(`Cleared ${freed} failure(s) from ${network}.`);
      if (email !== undefined)
        return carryOut(store, { email, action: { kind: 'unlock' }, more: found }, out);
      if (out.isJson) out.json(found);
      return EXIT.ok;
    });
  });
}

async function checkedPassword(): Promise<string> {
  const password = await readPassword();
  if (!passwordInput.safeParse(password).success)
    throw new CommandError(
      EXIT.usage,
      `The password has ${password.length} characters: ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} are required`,
    );
  return password;
}

interface Order {
  readonly email: string;
  readonly action: UserAction;
  /** Set where the action needs one. */
  readonly password?: string | undefined;
  /** With `--json`, beside the user. */
  readonly more?: Readonly<Record<string, unknown>>;
}

async function carryOut(
  store: Store,
  { email, action, password, more }: Order,
  out: CommandOutput,
): Promise<number> {
  const hashPassword = createPasswords().hash;
  const users = createUsers({ store, clock: systemClock, hashPassword, deleteSessionsOf, unlockAccount });
  switch (action.kind) {
    case 'create': {
      const { name, role } = action;
      const user = await users.create({ email, name, role, password: password ?? '' }, manager);
      return told(out, user, `Created "${user.email}" (${role}). TOTP is set up at the first sign-in.`);
    }
    case 'change': {
      const { id, version } = await requireUser(store, email);
      const user = await users.update(id, action.patch, [version], manager);
      return told(out, user, `"${user.email}" is ${user.role}, ${user.status}.`);
    }
    case 'unlock': {
      const user = await users.unlock((await requireUser(store, email)).id, manager);
      const rest = more === undefined ? '; use --address for a locked network' : '';
      return told(out, user, `Cleared the failed sign-ins of "${user.email}"${rest}.`, more);
    }
    case 'reset-totp': {
      const user = await users.resetTotp((await requireUser(store, email)).id, manager);
      return told(out, user, `"${user.email}" will set up TOTP again at the next sign-in.`);
    }
    case 'reset-password': {
      const user = await requireUser(store, email);
      const given = await users.resetPassword(user.id, manager, password);
      const shown = action.generate ? `: ${given}` : '.';
      const line = `"${user.email}" has a new password${shown}`;
      return told(out, user, line, action.generate ? { password: given } : {});
    }
    default:
      return action satisfies never;
  }
}

function told(
  out: CommandOutput,
  user: UserRow,
  line: string,
  more: Readonly<Record<string, unknown>> = {},
): number {
  if (out.isJson) out.json({ ...toUser(user), ...more });
  out.line(line);
  return EXIT.ok;
}

async function requireUser(store: Store, email: string): Promise<UserRow> {
  const user = await selectUserByEmail(store.read, email);
  if (user === null) throw new AppError('NOT_FOUND', `There is no user "${email}"`);
  return user;
}
