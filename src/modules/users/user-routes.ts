import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../base/errors.ts';
import { account, member, ROLES } from '../../http/access.ts';
import { principalOf } from '../../http/guard.ts';
import { pageQuery, sortable } from '../../http/paging.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { nameField, searchField } from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { sessionRecord, toSession } from './account-routes.ts';
import type { Account } from './account-service.ts';
import { emailInput, passwordInput, toUser, USER_STATUSES, type UserRow, userRecord } from './user.ts';
import type { Manager, Users } from './user-service.ts';
import { selectUser, selectUsers } from './user-store.ts';

const role = z.enum(ROLES);
const status = z.enum(USER_STATUSES);

const userInput = z.strictObject({
  email: emailInput,
  name: nameField,
  role: role.default('viewer'),
  password: passwordInput.describe(
    'A first password; the user enrols a TOTP authenticator at the first sign-in',
  ),
});
const userPatch = z
  .strictObject({
    email: emailInput.optional(),
    name: nameField.optional(),
    role: role.optional(),
    status: status.optional(),
  })
  .describe('Omitted keys keep their value');
const listQuery = pageQuery.extend({
  sort: sortable(['id', 'name', 'email', 'created_at', 'updated_at'], '-id'),
  role: role.optional(),
  status: status.optional(),
  q: searchField.describe(
    'Part of the email or the name, in upper or lower case; of fewer than three characters: its beginning',
  ),
});

const tag = 'Users';

export interface UserRoutesDeps {
  readonly store: Store;
  readonly users: Users;
  /** Where a user is signed in. */
  readonly listSessions: Account['listSessions'];
}

export function registerUserRoutes(app: App, deps: UserRoutesDeps): void {
  const routes = new RecordRoutes<UserRow>(app, {
    path: '/api/users',
    name: 'User',
    noun: 'user',
    tag,
    read: member('admin', 'users:read'),
    write: member('admin', 'users:write'),
    answer: userRecord,
    show: toUser,
    hidesVersion: true,
  });
  registerMe(routes.others, deps);
  registerRecords(routes, deps);
  registerResets(routes, deps);
}

function registerMe(routes: Routes, { store, users }: UserRoutesDeps): void {
  routes.get(
    '/api/users/me',
    { id: 'getOwnUser', summary: 'Yourself', access: account, answer: userRecord },
    async (request) => {
      const user = await selectUser(store.read, ownId(request));
      if (user === null) throw new AppError('AUTH_ERROR', 'Not authenticated');
      return toUser(user);
    },
  );

  routes.put(
    '/api/users/me',
    {
      id: 'updateOwnUser',
      summary: 'Change your name; only an admin can change email and role',
      access: account,
      body: z.strictObject({ name: nameField }),
      answer: userRecord,
    },
    async (request) => toUser(await users.updateMe(ownId(request), request.body, actorOf(request))),
  );
}

function registerRecords(routes: RecordRoutes<UserRow>, { store, users }: UserRoutesDeps): void {
  routes.list({ summary: 'Users, newest first', query: listQuery }, ({ query }, paging) =>
    selectUsers(store.read, query, paging),
  );
  routes.get({ summary: 'One user' }, (id) => selectUser(store.read, id));
  routes.create(
    {
      summary: 'Create a user; admins can only assign roles below their own',
      body: userInput,
      errors: ['CONFLICT'],
    },
    (request) => users.create(request.body, managerOf(request)),
  );
  routes.update(
    {
      summary: 'Change a user; changing role or status ends their sessions at once',
      body: userPatch,
      errors: ['CONFLICT'],
    },
    (request, expected) => users.update(request.params.id, request.body, expected, managerOf(request)),
  );
  routes.remove(
    { summary: 'Delete a user with their sessions and API keys', errors: ['CONFLICT'] },
    (id, expected, _actor, request) => users.remove(id, expected, managerOf(request)),
  );
}

function registerResets(routes: RecordRoutes<UserRow>, { store, users, listSessions }: UserRoutesDeps): void {
  routes.act(
    'reset-totp',
    {
      id: 'resetUserTotp',
      summary: 'Remove the authenticator; the user enrols a new one at the next sign-in',
    },
    (id, _actor, request) => users.resetTotp(id, managerOf(request)),
  );
  routes.others.get(
    '/api/users/:id/sessions',
    {
      id: 'listUserSessions',
      summary: 'Where a user is signed in',
      answer: z.object({ result: z.array(sessionRecord), next_cursor: z.null() }),
    },
    async (request) => {
      const principal = principalOf(request);
      const own = principal.type === 'user' ? principal.sessionId : null;
      const { id } = request.params;
      if ((await selectUser(store.read, id)) === null) throw notFound('user', id);
      const sessions = await listSessions(id);
      return { result: sessions.map((session) => toSession(session, own)), next_cursor: null };
    },
  );
  routes.act(
    'end-sessions',
    { id: 'endUserSessions', summary: 'Sign a user out everywhere; API keys stay' },
    (id, _actor, request) => users.endSessions(id, managerOf(request)),
  );
  routes.act(
    'unlock',
    { id: 'unlockUser', summary: 'Forget failed sign-ins, so that the user can sign in again at once' },
    (id, _actor, request) => users.unlock(id, managerOf(request)),
  );
  routes.act(
    'reset-password',
    {
      id: 'resetUserPassword',
      summary: 'Replace the password with a generated one, shown once',
      answer: z.object({ password: z.string().describe('Shown once') }),
      show: (password: string) => ({ password }),
    },
    (id, _actor, request) => users.resetPassword(id, managerOf(request)),
  );
}

function managerOf(request: FastifyRequest): Manager {
  const principal = principalOf(request);
  if (!('role' in principal)) throw new AppError('FORBIDDEN', 'Sign in as a user, or use a user’s API key');
  return { actor: actorOf(request), role: principal.role };
}

/** The signed-in user, on routes with the access `account`. */
function ownId(request: FastifyRequest): number {
  const principal = principalOf(request);
  if (principal.type !== 'user')
    throw new AppError('FORBIDDEN', 'Sign in as a user: API keys are not accepted here');
  return principal.id;
}
