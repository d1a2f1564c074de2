import t from 'tap';
import { keptQuery, keptWrite } from '../../src/store/kept-query.ts';
import type { Db, Store } from '../../src/store/store.ts';
import { eachStore } from '../support/stores.ts';

async function addUsers(store: Store, ...emails: readonly string[]): Promise<void> {
  const totp = { totp_confirmed: 0, totp_last_step: 0, recovery_hashes_json: '[]' };
  const person = { name: 'x', role: 'viewer', status: 'active', password_hash: 'none', ...totp };
  const common = { ...person, created_at: 1, updated_at: 1, version: 1 };
  await store.write(async (tx) => {
    for (const email of emails)
      await tx
        .insertInto('users')
        .values({ ...common, email })
        .execute();
  });
}

eachStore(
  t,
  'a kept query gives what it would give anew, to each caller for its own values',
  async (t, store) => {
    await addUsers(store, 'a@example.com', 'b@example.com');
    let built = 0;
    const byEmail = keptQuery((db: Db, email: string, status: string) => {
      built += 1;
      return db.selectFrom('users').select(['email']).where('email', '=', email).where('status', '=', status);
    });
    t.same(await byEmail(store.read, 'a@example.com', 'active'), [{ email: 'a@example.com' }]);
    t.same(await byEmail(store.read, 'b@example.com', 'active'), [{ email: 'b@example.com' }]);
    t.same(await byEmail(store.read, 'b@example.com', 'locked'), []);
    await store.write(async (tx) => {
      await tx.deleteFrom('users').where('email', '=', 'a@example.com').execute();
      t.same(await byEmail(tx, 'a@example.com', 'active'), [], 'a transaction sees what it has done');
      t.same(await byEmail(tx, 'b@example.com', 'active'), [{ email: 'b@example.com' }]);
    });
    t.ok(built <= 2, `built ${built} times: once for each handle's engine at most`);
  },
);

eachStore(t, 'a query that does not take its values once and in order fails', async (t, store) => {
  const wrong = [
    keptQuery((db: Db, a: string, b: string) =>
      db.selectFrom('users').select(['email']).where('email', '=', b).where('status', '=', a),
    ),
    keptQuery((db: Db, a: string, _unused: string) =>
      db.selectFrom('users').select(['email']).where('email', '=', a),
    ),
    keptQuery((db: Db, a: string, b: string) =>
      db.selectFrom('users').select(['email']).where('email', 'in', [a, b, 'more']),
    ),
  ];
  for (const query of wrong)
    await t.rejects(query(store.read, 'x', 'y'), /each of its values once and in order/);
});

eachStore(
  t,
  'a kept write writes what is given, each set of columns by a statement of its own',
  async (t, store) => {
    await addUsers(store, 'a@example.com', 'b@example.com');
    let built = 0;
    const change = keptWrite((tx, row, email: string) => {
      built += 1;
      return tx.updateTable('users').set(row).where('email', '=', email).returning(['email', 'name', 'role']);
    });
    await store.write(async (tx) => {
      const [a] = await change(tx, { name: 'Ada', role: undefined }, 'a@example.com');
      t.same(a, { email: 'a@example.com', name: 'Ada', role: 'viewer' }, 'what is not given stays');
      const [b] = await change(tx, { name: 'Bob' }, 'b@example.com');
      t.same(b, { email: 'b@example.com', name: 'Bob', role: 'viewer' });
      t.equal(built, 1);
      const [both] = await change(tx, { role: 'admin', name: 'Eve' }, 'b@example.com');
      t.same(both, { email: 'b@example.com', name: 'Eve', role: 'admin' });
      t.same(await change(tx, { name: 'Nobody' }, 'c@example.com'), []);
      t.equal(built, 2);
    });
  },
);
