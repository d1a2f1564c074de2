import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../base/errors.ts';
import { account, member, ROLES } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { principalOf } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { pageQuery, pagingOf, sortable, toPage } from '../../http/paging.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { emailInput, passwordInput, toUser, USER_STATUSES, userRecord } from './user.ts';
import type { Manager, Users } from './user-service.ts';
import { selectUser, selectUsers } from './user-store.ts';

const name = z.string().trim().min(1).max(200);
const role = z.enum(ROLES);
const status = z.enum(USER_STATUSES);

const userInput = z.strictObject({
  email: emailInput,
  name,
  role: role.default('viewer'),
  password: passwordInput.describe(
    'A first password; the user enrols a TOTP authenticator at the first sign-in',
  ),
});
const userPatch = z
  .strictObject({
    email: emailInput.optional(),
    name: name.optional(),
    role: role.optional(),
    status: status.optional(),
  })
  .describe('What is left out stays');
const listQuery = pageQuery.extend({
  sort: sortable(['id', 'name', 'email', 'created_at', 'updated_at'], '-id'),
  role: role.optional(),
  status: status.optional(),
  q: z.string().max(200).optional().describe('A part of the email or the name'),
});

const read = member('admin', 'users:read');
const write = member('admin', 'users:write');
const tag = 'Users';
const operations = recordOperations({ tag, read, write });

export interface UserRoutesDeps {
  readonly store: Store;
  readonly users: Users;
}

export function registerUserRoutes(app: App, deps: UserRoutesDeps): void {
  registerMe(app, deps);
  registerReads(app, deps);
  registerWrites(app, deps);
  registerResets(app, deps);
}

function registerMe(app: App, { store, users }: UserRoutesDeps): void {
  app.get(
    '/api/users/me',
    operation({
      id: 'getOwnUser',
      tag,
      summary: 'Yourself',
      access: account,
      answers: { 200: userRecord },
    }),
    async (request) => {
      const user = await selectUser(store.read, ownId(request));
      if (user === null) throw new AppError('AUTH_ERROR', 'Not authenticated');
      return toUser(user);
    },
  );

  app.put(
    '/api/users/me',
    operation({
      id: 'updateOwnUser',
      tag,
      summary: 'Change your name; email and role are changed by an admin',
      access: account,
      body: z.strictObject({ name }),
      answers: { 200: userRecord },
    }),
    async (request) => toUser(await users.updateMe(ownId(request), request.body, actorOf(request))),
  );
}

function registerReads(app: App, { store }: UserRoutesDeps): void {
  app.get(
    '/api/users',
    operations.list({ id: 'listUsers', summary: 'Users, newest first', query: listQuery, item: userRecord }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectUsers(store.read, request.query, paging), paging, toUser);
    },
  );

  app.get(
    '/api/users/:id',
    operations.get({ id: 'getUser', summary: 'One user', answer: userRecord }),
    async (request, reply) => {
      const user = await selectUser(store.read, request.params.id);
      if (user === null) throw notFound('user', request.params.id);
      setEtag(reply, user.version);
      return toUser(user);
    },
  );
}

function registerWrites(app: App, { users }: UserRoutesDeps): void {
  app.post(
    '/api/users',
    operations.create({
      id: 'createUser',
      summary: 'Create a user; admins only below their own role',
      body: userInput,
      answer: userRecord,
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      const user = await users.create(request.body, managerOf(request));
      setEtag(reply, user.version);
      return reply.code(201).send(toUser(user));
    },
  );

  app.put(
    '/api/users/:id',
    operations.update({
      id: 'updateUser',
      summary: 'Change a user; another role or status ends their sessions at once',
      body: userPatch,
      answer: userRecord,
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      const user = await users.update(request.params.id, request.body, ifMatch(request), managerOf(request));
      setEtag(reply, user.version);
      return toUser(user);
    },
  );

  app.delete(
    '/api/users/:id',
    operations.remove({
      id: 'deleteUser',
      summary: 'Delete a user with their sessions and API keys',
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      await users.remove(request.params.id, ifMatch(request), managerOf(request));
      return reply.code(204).send();
    },
  );
}

function registerResets(app: App, { users }: UserRoutesDeps): void {
  app.post(
    '/api/users/:id/reset-totp',
    operations.act({
      id: 'resetUserTotp',
      summary: 'Forget the authenticator; the user enrols a new one at the next sign-in',
      answer: userRecord,
    }),
    async (request) => toUser(await users.resetTotp(request.params.id, managerOf(request))),
  );

  app.post(
    '/api/users/:id/reset-password',
    operations.act({
      id: 'resetUserPassword',
      summary: 'Replace the password with a generated one, shown only now',
      answer: z.object({ password: z.string().describe('Shown only now') }),
    }),
    async (request) => ({ password: await users.resetPassword(request.params.id, managerOf(request)) }),
  );
}

function managerOf(request: FastifyRequest): Manager {
  const principal = principalOf(request);
  if (!('role' in principal)) throw new AppError('FORBIDDEN', 'This needs a user');
  return { actor: actorOf(request), role: principal.role };
}

/** The signed-in user, whose routes have the access `account`. */
function ownId(request: FastifyRequest): number {
  const principal = principalOf(request);
  if (principal.type !== 'user') throw new AppError('FORBIDDEN', 'This needs a signed-in user');
  return principal.id;
}
