import t from 'tap';
import { z } from 'zod';
import { member, roleAtLeast, type Scope, scopeAllows } from '../../src/http/access.ts';
import { Routes } from '../../src/http/routes.ts';
import { createTestApp } from '../support/app.ts';

t.test('a scope allows what it names, and reading where it allows more', async (t) => {
  const allows = (needed: Scope, ...scopes: string[]) => scopeAllows(scopes, needed);
  for (const scope of ['jobs:read', 'jobs:write', 'jobs:run', 'jobs:*', '*'])
    t.ok(allows('jobs:read', scope), scope);
  for (const scope of ['jobs:read', 'jobs:run', 'job-templates:*', 'tasks:write', 'jobs'])
    t.notOk(allows('jobs:write', scope), scope);
  t.notOk(allows('jobs:run', 'jobs:write'));
  t.notOk(allows('jobs:read'));
  t.ok(allows('jobs:run', 'tasks:read', 'jobs:run'));
});

t.test('a role has the rights of those below it, and no others', async (t) => {
  t.ok(roleAtLeast('editor', 'operator'));
  t.ok(roleAtLeast('editor', 'editor'));
  t.notOk(roleAtLeast('editor', 'admin'));
  t.notOk(roleAtLeast('admin', 'superadmin'));
});

t.test(
  'a key that is wrong is told apart from none, and a body of another type names the right one',
  async (t) => {
    const { anonymous, as } = await createTestApp(t, (app) => {
      const routes = new Routes(app, { tag: 'Tasks', write: member('viewer', 'tasks:write') });
      routes.post('/things', { id: 'makeThing', summary: 's', body: z.strictObject({}) }, async () => null);
    });
    t.match(await anonymous.post('/things', {}), {
      status: 401,
      body: { message: /^Not authenticated: sign in, or send an API key as "Authorization: Bearer/ },
    });
    t.match(await anonymous.post('/things', {}, { authorization: 'Bearer svc_00' }), {
      status: 401,
      body: { message: /^The API key is not valid: it is wrong, or has expired or been revoked/ },
    });
    const typed = await as('viewer').post('/things', {}, { 'content-type': 'text/plain' });
    t.match(typed, { status: 415, body: { message: /send "application\/json"/ } }, typed.text);
  },
);
