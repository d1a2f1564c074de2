import t from 'tap';
import { keptQuery } from '../../src/store/kept-query.ts';
import type { Db } from '../../src/store/store.ts';
import { eachStore } from '../support/stores.ts';

t.test('a snapshot', async (t) => {
  await eachStore(t, 'reads one committed state, whatever is written meanwhile', async (t, store) => {
    const add = (name: string) =>
      store.write((tx) => tx.insertInto('secrets').values({ name, value: 'v', created_at: 1 }).execute());
    await add('before');
    const names = (db: typeof store.read) =>
      db
        .selectFrom('secrets')
        .select('name')
        .where('value', '=', 'v')
        .orderBy('name')
        .execute()
        .then((rows) => rows.map(({ name }) => name));
    const seen = await store.snapshot(async (db) => {
      const first = await names(db);
      await add('meanwhile');
      return [first, await names(db)];
    });
    t.same(seen, [['before'], ['before']]);
    t.same(await names(store.read), ['before', 'meanwhile'], 'and ends');
    await t.rejects(
      store.snapshot(async (db) => db.deleteFrom('secrets').execute()),
      /read-?only/,
      'it writes nothing',
    );
    t.same(await names(store.read), ['before', 'meanwhile']);
  });

  await eachStore(t, 'hides nothing from a kept query outside of it', async (t, store) => {
    const add = (name: string) =>
      store.write((tx) => tx.insertInto('secrets').values({ name, value: 'v', created_at: 1 }).execute());
    const named = keptQuery((db: Db, value: string) =>
      db.selectFrom('secrets').select('name').where('value', '=', value).orderBy('name'),
    );
    await add('before');
    let outside: Promise<unknown> | null = null;
    await store.snapshot(async (db) => {
      t.same(await named(db, 'v'), [{ name: 'before' }]);
      await add('meanwhile');
      outside = named(store.read, 'v');
      t.same(await named(db, 'v'), [{ name: 'before' }]);
    });
    t.same(await outside, [{ name: 'before' }, { name: 'meanwhile' }]);
  });
});
