import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/text/suggest-name.ts';
import { member, SCOPES, scopeAllows } from '../../../http/access.ts';
import { principalOf } from '../../../http/guard.ts';
import { pageQuery, sortable } from '../../../http/paging.ts';
import type { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { nameField } from '../../definitions/definition-fields.ts';
import { RecordRoutes } from '../../definitions/record-routes.ts';
import { type ApiKeyRow, selectApiKeys, toApiKey } from './api-key.ts';
import {
  type ApiKeys,
  createApiKeys,
  type IssuedApiKey,
  type KeyHolder,
  ownerOf,
  seesAll,
} from './api-key-service.ts';

const OVERLAP_MAX_SECONDS = 7 * 86_400;
const SCOPES_MAX = 50;
const SCOPE = /^(\*|[a-z-]{1,40}:(read|write|run|\*))$/;
const tag = 'API Keys';

const scope = z
  .string()
  .regex(SCOPE, { error: 'must be "*" or "<resource>:<read|write|run>"', abort: true })
  .superRefine((text, context) => {
    // What includes no scope of a route would be a key that can do nothing, most likely by a slip of the pen.
    if (text === '*' || SCOPES.some((known) => scopeAllows([text], known))) return;
    const known = [...SCOPES, ...new Set(SCOPES.map((one) => one.replace(/:.*/, ':*')))];
    const near = didYouMean(text, known) || `: use one of ${SCOPES.join(', ')}`;
    context.addIssue({ code: 'custom', message: `"${text}" is not a scope${near}` });
  })
  .describe(`\`*\`, a resource with any action (\`tasks:*\`), or one of ${SCOPES.join(', ')}`);
export const apiKey = z
  .object({
    id: z.number().int(),
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(z.string()),
    expires_at: z.string().nullable(),
    previous_expires_at: z
      .string()
      .nullable()
      .describe('Until when the token before the last rotation is valid; null: no longer'),
    last_used_at: z.string().nullable(),
    created_at: z.string(),
    user_id: z.number().int(),
  })
  .meta({ id: 'ApiKey' });
const created = apiKey.extend({ token: z.string().describe('Shown once') }).meta({ id: 'NewApiKey' });
const keyInput = z
  .strictObject({
    name: nameField,
    scopes: z.array(scope).min(1).max(SCOPES_MAX).default(['*']),
    expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  })
  .meta({ examples: [{ name: 'Nightly build', scopes: ['tasks:write', 'jobs:run'], expires_at: null }] });
const rotation = z
  .strictObject({ overlap_seconds: z.number().int().min(0).max(OVERLAP_MAX_SECONDS).default(0) })
  .prefault({});

const read = member('viewer', 'api-keys:read');
const write = member('viewer', 'api-keys:write');

export interface ApiKeyRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Everybody manages their own keys; admins also see and revoke those of others. */
export function registerApiKeyRoutes(app: App, deps: ApiKeyRoutesDeps): void {
  const { store } = deps;
  const keys = createApiKeys(deps);
  const routes = new RecordRoutes<ApiKeyRow>(app, {
    path: '/api/api-keys',
    name: 'ApiKey',
    noun: 'API key',
    tag,
    read,
    write,
    answer: apiKey,
    show: toApiKey,
  });
  routes.list(
    {
      summary: 'API keys without their tokens, newest first',
      query: pageQuery.extend({ sort: sortable(['id', 'name', 'created_at'], '-id') }),
    },
    (request, paging) => {
      const holder = holderOf(request);
      const owner = seesAll(holder) ? null : ownerOf(holder);
      return selectApiKeys(store.read, owner, paging);
    },
  );
  routes.others.get(
    '/api/api-keys/scopes',
    {
      id: 'listApiKeyScopes',
      summary: 'Every scope that an API key can have',
      answer: z.object({ result: z.array(z.string()), next_cursor: z.null() }),
    },
    async () => ({ result: [...SCOPES], next_cursor: null }),
  );
  routes.get({ summary: 'One API key' }, (id, request) => keys.find(id, holderOf(request)));
  routes.create(
    {
      summary: 'Create an API key; its token is shown once',
      body: keyInput,
      answer: created,
      show: issued,
      idempotent: 'secret',
    },
    (request, actor) => {
      const { expires_at, ...rest } = request.body;
      const input = { ...rest, expiresAt: expires_at === null ? null : Date.parse(expires_at) };
      return keys.create(input, holderOf(request), actor);
    },
  );
  registerEnds(routes.others, keys);
}

/** A key ends when it is rotated or revoked. */
function registerEnds(routes: Routes, keys: ApiKeys): void {
  routes.post(
    '/api/api-keys/:id/rotate',
    {
      id: 'rotateApiKey',
      summary: 'A new token for this key; the previous one stays valid for overlap_seconds',
      body: rotation,
      answer: created,
      errors: ['CONFLICT'],
    },
    async (request) => {
      const { overlap_seconds } = request.body;
      return issued(
        await keys.rotate(request.params.id, overlap_seconds, holderOf(request), actorOf(request)),
      );
    },
  );

  routes.delete(
    '/api/api-keys/:id',
    { id: 'deleteApiKey', summary: 'Revoke an API key at once' },
    async (request) => keys.revoke(request.params.id, holderOf(request), actorOf(request)),
  );
}

function issued({ row, token }: IssuedApiKey) {
  return { ...toApiKey(row), token };
}

function holderOf(request: FastifyRequest): KeyHolder {
  const principal = principalOf(request);
  if (principal.type === 'user' || principal.type === 'api_key') return principal;
  throw new AppError('FORBIDDEN', 'Sign in as a user, or use a user’s API key');
}
