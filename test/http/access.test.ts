import t from 'tap';
import { roleAtLeast, type Scope, scopeAllows } from '../../src/http/access.ts';

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
