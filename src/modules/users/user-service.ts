import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { randomToken } from '../../base/ids.ts';
import { type Role, roleAtLeast } from '../../http/access.ts';
import { type ExpectedVersions, requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { recordChanges } from '../definitions/record-changes.ts';
import { roleOf, type UserRow, type UserStatus } from './user.ts';
import {
  clearTotp,
  deleteUser,
  insertUser,
  lockActiveSuperadmins,
  lockUser,
  selectUser,
  selectUserByEmail,
  type UserChange,
  updatePasswordHash,
  updateUser,
} from './user-store.ts';

const GENERATED_PASSWORD_LENGTH = 24;

/** Forgets the failed sign-ins of an account, on every control plane, as part of the transaction. */
export type UnlockAccount = (tx: Tx, email: string) => Promise<void>;

export interface UsersDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** `VALIDATION_ERROR` for a password that is too easy to guess; `about`: what others know of its owner. */
  readonly hashPassword: (password: string, use: { readonly about: readonly string[] }) => Promise<string>;
  /** Ends every session of a user, on every control plane, as part of the transaction. */
  readonly deleteSessionsOf: (tx: Tx, userId: number) => Promise<void>;
  readonly unlockAccount: UnlockAccount;
}

/** The managing user: admins manage roles below their own, superadmins everybody. */
export interface Manager {
  readonly actor: Actor;
  readonly role: Role;
}

export interface UserInput {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

/** Omitted keys keep their value. */
export interface UserPatch {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: UserStatus | undefined;
}

export type Users = ReturnType<typeof createUsers>;

/** The people who can sign in. A change of role, status or password ends the user's sessions at once. */
export function createUsers(deps: UsersDeps) {
  const { store, clock, hashPassword, deleteSessionsOf } = deps;
  const audit = createAudit(clock);
  const { locked } = recordChanges(store, 'user', lockUser);

  async function create(input: UserInput, manager: Manager): Promise<UserRow> {
    requireRank(manager, input.role);
    const passwordHash = await hashPassword(input.password, { about: [input.email, input.name] });
    const { email, name, role } = input;
    return store.write(async (tx) => {
      const now = clock.now();
      await lockActiveSuperadmins(tx, store.dialect);
      await requireFreeEmail(tx, email, null);
      const user = await insertUser(tx, { email, name, role, passwordHash }, now);
      await audit(tx, manager.actor, 'user.create', user.id, { email: user.email, name, role });
      return user;
    });
  }

  /** `CONFLICT` where the email is taken, or the last active superadmin would lose the role or be disabled. */
  async function update(
    id: number,
    patch: UserPatch,
    expected: ExpectedVersions,
    manager: Manager,
  ): Promise<UserRow> {
    return store.write(async (tx) => {
      const superadmins = await lockActiveSuperadmins(tx, store.dialect);
      const user = await locked(tx, id);
      requireVersion(expected, user.version);
      requireRank(manager, roleOf(user.role));
      if (patch.role !== undefined) requireRank(manager, patch.role);
      const stays = (patch.role ?? user.role) === 'superadmin' && (patch.status ?? user.status) === 'active';
      if (!stays) requireAnotherSuperadmin(superadmins, user);
      return apply(deps, tx, user, patch, manager.actor);
    });
  }

  /** Changes of one's own account. */
  async function updateMe(id: number, patch: Pick<UserPatch, 'name'>, actor: Actor): Promise<UserRow> {
    return store.write(async (tx) => apply(deps, tx, await locked(tx, id), patch, actor));
  }

  async function remove(id: number, expected: ExpectedVersions, manager: Manager): Promise<void> {
    await store.write(async (tx) => {
      const superadmins = await lockActiveSuperadmins(tx, store.dialect);
      const user = await locked(tx, id);
      requireVersion(expected, user.version);
      requireRank(manager, roleOf(user.role));
      requireAnotherSuperadmin(superadmins, user);
      await deleteSessionsOf(tx, id);
      await deleteUser(tx, id);
      await audit(tx, manager.actor, 'user.delete', id, { email: user.email, role: user.role });
    });
  }

  return { create, update, updateMe, remove, ...createResets(deps) };
}

/** For users who cannot sign in: new credentials, which unlock the account too, or only that. */
function createResets(deps: UsersDeps) {
  const { store, clock, hashPassword, deleteSessionsOf, unlockAccount } = deps;
  const audit = createAudit(clock);
  const { locked } = recordChanges(store, 'user', lockUser);

  /** The user enrols a new authenticator at the next sign-in. */
  async function resetTotp(id: number, manager: Manager): Promise<UserRow> {
    return store.write(async (tx) => {
      const user = await locked(tx, id);
      requireRank(manager, roleOf(user.role));
      await clearTotp(tx, id, clock.now());
      await deleteSessionsOf(tx, id);
      await unlockAccount(tx, user.email);
      await audit(tx, manager.actor, 'user.reset_totp', id, { email: user.email });
      return { ...user, totp_confirmed: 0, updated_at: clock.now() };
    });
  }

  /** `chosen`, or a generated password, which is returned this once. */
  async function resetPassword(id: number, manager: Manager, chosen?: string): Promise<string> {
    const password = chosen ?? randomToken().slice(0, GENERATED_PASSWORD_LENGTH);
    const owner = await selectUser(store.read, id);
    const about = owner === null ? [] : [owner.email, owner.name];
    const passwordHash = await hashPassword(password, { about });
    await store.write(async (tx) => {
      const user = await locked(tx, id);
      requireRank(manager, roleOf(user.role));
      await updatePasswordHash(tx, id, passwordHash, clock.now());
      await deleteSessionsOf(tx, id);
      await unlockAccount(tx, user.email);
      await audit(tx, manager.actor, 'user.reset_password', id, { email: user.email });
    });
    return password;
  }

  /** Sign-ins are no longer refused for what failed before. */
  async function unlock(id: number, manager: Manager): Promise<UserRow> {
    return store.write(async (tx) => {
      const user = await locked(tx, id);
      requireRank(manager, roleOf(user.role));
      await unlockAccount(tx, user.email);
      await audit(tx, manager.actor, 'user.unlock', id, { email: user.email });
      return user;
    });
  }

  /** Signs the user out everywhere; API keys stay. */
  async function endSessions(id: number, manager: Manager): Promise<UserRow> {
    return store.write(async (tx) => {
      const user = await locked(tx, id);
      requireRank(manager, roleOf(user.role));
      await deleteSessionsOf(tx, id);
      await audit(tx, manager.actor, 'user.end_sessions', id, { email: user.email });
      return user;
    });
  }

  return { resetTotp, resetPassword, unlock, endSessions };
}

async function apply(
  { clock, deleteSessionsOf }: UsersDeps,
  tx: Tx,
  user: UserRow,
  patch: UserPatch,
  actor: Actor,
): Promise<UserRow> {
  const change: UserChange = {
    email: (patch.email ?? user.email).toLowerCase(),
    name: patch.name ?? user.name,
    role: patch.role ?? user.role,
    status: patch.status ?? user.status,
    version: user.version + 1,
  };
  const keys = (['email', 'name', 'role', 'status'] as const).filter((key) => change[key] !== user[key]);
  if (keys.length === 0) return user;
  if (keys.includes('email')) await requireFreeEmail(tx, change.email, user.id);
  const after = await updateUser(tx, user.id, change, clock.now());
  if (keys.includes('role') || keys.includes('status')) await deleteSessionsOf(tx, user.id);
  const diff = Object.fromEntries(keys.map((key) => [key, [user[key], after[key]]]));
  await createAudit(clock)(tx, actor, 'user.update', user.id, diff);
  return after;
}

function requireRank(manager: Manager, role: Role): void {
  if (manager.role === 'superadmin' || !roleAtLeast(role, 'admin')) return;
  throw new AppError(
    'FORBIDDEN',
    `Users with the role "${role}" are managed by a "superadmin"; your role is "${manager.role}"`,
  );
}

/** `superadmins`: the ids of the active ones, locked by this transaction. */
function requireAnotherSuperadmin(superadmins: readonly number[], user: UserRow): void {
  if (!superadmins.includes(user.id) || superadmins.length > 1) return;
  throw new AppError(
    'CONFLICT',
    `"${user.email}" is the last active superadmin: make another user superadmin first`,
  );
}

/** Of two users created with one email at once, the second waits for the lock on the superadmins and sees the first here. */
async function requireFreeEmail(tx: Tx, email: string, ownId: number | null): Promise<void> {
  const other = await selectUserByEmail(tx, email);
  if (other !== null && other.id !== ownId)
    throw new AppError('CONFLICT', `There is a user "${email}" already`);
}
