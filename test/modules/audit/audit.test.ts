import fc from 'fast-check';
import t from 'tap';
import { redact, systemActor } from '../../../src/modules/audit/audit.ts';
import { registerAuditRoutes } from '../../../src/modules/audit/audit-routes.ts';
import { insertAudit } from '../../../src/modules/audit/audit-store.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';

const PLANTED = 'planted-5ecret';

t.test('no secret gets into a diff, at any depth and under any of its names', async (t) => {
  const names = fc.constantFrom(
    'password',
    'new_password',
    'clientSecret',
    'token',
    'api_key',
    'apiKey',
    'private_key',
    'credentials',
    'password_hash',
    'totp_secret_encrypted',
  );
  const holder = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('value')),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .tuple(names, fc.constantFrom<unknown>(PLANTED, [PLANTED], { a: PLANTED }))
        .map(([name, value]) => ({ [name]: value })),
    ),
  })).value;
  fc.assert(
    fc.property(holder, (value) => {
      t.notMatch(JSON.stringify(redact(value)), /planted/);
    }),
    { numRuns: 200 },
  );
  t.same(redact({ name: 'a', labels: ['x'], password: null, n: 1 }), {
    name: 'a',
    labels: ['x'],
    password: null,
    n: 1,
  });
  t.equal((redact('x'.repeat(10_000)) as string).length, 4_001);
});

t.test('the audit log', async (t) => {
  await eachStore(t, 'is read by admins, newest first, by filters', async (t, store) => {
    const { as, withKey, clock } = await createTestApp(t, (app) => registerAuditRoutes(app, store));
    for (const [action, resourceId] of [
      ['task.create', 1],
      ['task.update', 1],
      ['job.create', 'x'],
    ] as const) {
      const entry = {
        action,
        resourceType: action.split('.')[0] ?? '',
        resourceId,
        diff: { password: PLANTED },
      };
      await store.write((tx) => insertAudit(tx, systemActor, entry, clock.now()));
    }
    type Log = {
      result: { action: string; at: string; diff: unknown; actor_type: string }[];
      next_cursor: string | null;
    };
    const actions = async (query: string) =>
      (await as('admin').get<Log>(`/api/audit-logs${query}`)).body.result.map(({ action }) => action);
    t.same(await actions(''), ['job.create', 'task.update', 'task.create']);
    t.same(await actions('?resource_type=task&resource_id=1'), ['task.update', 'task.create']);
    t.same(await actions('?action=job.create'), ['job.create']);
    t.same(await actions('?actor_id=7'), []);
    const { body } = await as('admin').get<Log>('/api/audit-logs?limit=1');
    t.match(body, {
      result: [{ at: '2026-01-15T12:00:00.000Z', actor_type: 'system', diff: { password: '********' } }],
      next_cursor: String,
    });
    t.same(await actions(`?limit=1&cursor=${body.next_cursor}`), ['task.update']);
    t.equal(
      (await as('admin').get(`/api/audit-logs?action=task.update&cursor=${body.next_cursor}`)).status,
      400,
    );
    for (const query of ['?actor_id=1.5', `?actor_id=${'9'.repeat(30)}`, '?actor=1'])
      t.equal((await as('admin').get(`/api/audit-logs${query}`)).status, 400, query);
    t.equal((await as('editor').get('/api/audit-logs')).status, 403);
    t.equal((await withKey('admin', 'tasks:read').get('/api/audit-logs')).status, 403);
  });

  await eachStore(t, 'has no row of a change that was taken back', async (t, store) => {
    const entry = { action: 'a.b', resourceType: 'a', resourceId: 1 };
    const failing = store.write(async (tx) => {
      await insertAudit(tx, systemActor, entry, 1);
      throw new Error('no');
    });
    await t.rejects(failing);
    t.same(await store.read.selectFrom('audit_logs').selectAll().execute(), []);
  });
});
