import t from 'tap';
import { ROLES, type Role, roleAtLeast } from '../../src/http/access.ts';
import type { HttpAnswer } from '../support/app.ts';
import { fewOrAll, oneIn } from '../support/fault-list.ts';
import { startFullApp } from '../support/full-app.ts';
import { createPerson, keyOf, type Person } from '../support/people.ts';
import { seeded } from '../support/seed.ts';
import { PASSWORD, type Visitor } from '../support/visitor.ts';
import type { RouteEntry } from '../support/watched-http.ts';

/** No record has it: a request that is let through finds nothing. */
const NO_ID = '9007199254740991';

const full = await startFullApp(t);
const { visitor: root } = await full.superadmin();
const people = new Map<Role, Person>();
for (const role of ROLES) people.set(role, await createPerson(full, root, role));
const members = full.routes.filter(({ access }) => access.kind === 'member' || access.kind === 'local');

const ask = (who: Visitor, { method, url }: RouteEntry): Promise<HttpAnswer<Record<string, unknown>>> =>
  who.send(method as 'POST', url.replace(/:\w+|\*$/g, NO_ID), method === 'GET' ? undefined : {});
const nameOf = ({ method, url }: RouteEntry) => `${method} ${url}`;
const personOf = (role: Role) => people.get(role) as Person;

t.test('every role gets through where it suffices, and nowhere else', async (t) => {
  const wrong: string[] = [];
  let asked = 0;
  for (const route of seeded(t).someOf(members, oneIn(4, 1))) {
    if (route.access.kind !== 'member' && route.access.kind !== 'local') continue;
    const needed = route.access.role;
    for (const role of ROLES) {
      for (const who of [personOf(role).visitor, personOf(role).program]) {
        // Who needs no credential from this machine is let through as nobody; a program is judged by its key.
        if (route.access.kind === 'local' && who === personOf(role).visitor) continue;
        const { status, body } = await ask(who, route);
        asked += 1;
        const refused = status === 403 && String(body['message']).includes(`role "${needed}"`);
        const right = roleAtLeast(role, needed) ? status !== 401 && status !== 403 : refused;
        if (!right) wrong.push(`${role}: ${nameOf(route)}: ${status} ${body['message']}`);
      }
    }
  }
  t.ok(asked > fewOrAll(300, 1_000), `${asked} requests`);
  t.same(wrong, []);
});

t.test('who is signed in no more, or not yet, gets through nowhere', async (t) => {
  const revoked = await createPerson(full, root, 'superadmin', 'revoked');
  type Sessions = { result: { id: number }[] };
  const { body } = await revoked.visitor.get<Sessions>('/api/auth/sessions');
  for (const { id } of body.result) await revoked.visitor.delete(`/api/auth/sessions/${id}`);

  const disabled = await createPerson(full, root, 'superadmin', 'disabled');
  t.match(await root.put(`/api/users/${disabled.id}`, { status: 'disabled' }), { status: 200 });

  const deleted = await createPerson(full, root, 'superadmin', 'deleted');
  t.match(await root.delete(`/api/users/${deleted.id}`), { status: 204 });

  const pending = full.visitor();
  await pending.post('/api/auth/login', { email: personOf('superadmin').email, password: PASSWORD });
  t.ok(pending.cookies.has('svc_pending_session'));
  const promoted = full.visitor();
  promoted.cookies.set('svc_session', pending.cookies.get('svc_pending_session') ?? '');

  const expires_at = new Date(full.clock.now() + 1_000).toISOString();
  const expired = await keyOf(full, personOf('superadmin').visitor, { expires_at });
  full.clock.advance(2_000);

  const gone = {
    'a revoked session': revoked.visitor,
    'the session of a disabled user': disabled.visitor,
    'the API key of a disabled user': disabled.program,
    'the session of a deleted user': deleted.visitor,
    'the API key of a deleted user': deleted.program,
    'a session before its second step': pending,
    'the cookie of the first step as that of the second': promoted,
    'an expired API key': expired,
  };
  const wrong: string[] = [];
  const closed = full.routes.filter(({ access }) => ['member', 'account', 'self'].includes(access.kind));
  for (const route of seeded(t).someOf(closed, oneIn(4, 1))) {
    for (const [what, who] of Object.entries(gone)) {
      const { status } = await ask(who, route);
      if (status !== 401) wrong.push(`${what}: ${nameOf(route)}: ${status}`);
    }
  }
  t.same(wrong, []);
});

t.test('a key holds no more than its owner does now', async (t) => {
  const person = await createPerson(full, root, 'superadmin', 'demoted');
  t.match(await person.program.get('/api/users'), { status: 200 });
  t.match(await root.put(`/api/users/${person.id}`, { role: 'viewer' }), { status: 200 });
  const wrong: string[] = [];
  for (const route of members) {
    if (route.access.kind !== 'member' || route.access.role === 'viewer') continue;
    const { status } = await ask(person.program, route);
    if (status !== 403) wrong.push(`${nameOf(route)}: ${status}`);
  }
  t.same(wrong, []);
});

t.test('what belongs to somebody is not there for others', async (t) => {
  const [owner, other] = [personOf('editor'), personOf('operator')];
  const connector = { name: 'd', type: 'dummy', config: {} };
  const { body: made } = await personOf('admin').visitor.post<{ id: number }>('/api/connectors', connector);
  const view = { name: 'mine', connector_id: made.id, resource: 'users', visibility: 'private' };
  const preset = await owner.visitor.post<{ id: number }>('/api/explorer-presets', view);
  t.match(preset, { status: 201 });
  const key = await owner.visitor.post<{ id: number }>('/api/api-keys', { name: 'mine' });
  type Sessions = { result: { id: number }[] };
  const sessions = (await owner.visitor.get<Sessions>('/api/auth/sessions')).body;
  const session = sessions.result[0]?.id;
  const presetPath = `/api/explorer-presets/${preset.body.id}`;
  const keyPath = `/api/api-keys/${key.body.id}`;
  const attempts: [Visitor, 'GET' | 'PUT' | 'POST' | 'DELETE', string, object?][] = [
    [other.visitor, 'GET', presetPath],
    [other.visitor, 'PUT', presetPath, view],
    [other.visitor, 'DELETE', presetPath],
    [personOf('superadmin').visitor, 'GET', presetPath],
    [personOf('superadmin').visitor, 'DELETE', presetPath],
    [other.visitor, 'GET', keyPath],
    [other.visitor, 'POST', `${keyPath}/rotate`, {}],
    [other.visitor, 'DELETE', keyPath],
    [other.program, 'DELETE', keyPath],
    [other.visitor, 'DELETE', `/api/auth/sessions/${session}`],
    [personOf('superadmin').visitor, 'DELETE', `/api/auth/sessions/${session}`],
  ];
  for (const [who, method, path, body] of attempts)
    t.match(await who.send(method, path, body), { status: 404 }, `${method} ${path}`);
  for (const list of ['/api/explorer-presets', '/api/api-keys']) {
    const { text } = await other.visitor.get(list);
    t.notMatch(text, /"mine"/, list);
  }
  t.match(await owner.visitor.get(presetPath), { status: 200 });
  t.match(await owner.visitor.get(keyPath), { status: 200 });
  t.match(await owner.visitor.get('/api/auth/me'), { status: 200 }, 'the session lives');
});

t.test('all of these answers are what the OpenAPI document says', async (t) => {
  t.same([...new Set(full.openapi.breaches)], []);
});
