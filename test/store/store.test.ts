import { sql } from 'kysely';
import t from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { eachStore, openTestStore, storeSettings } from '../support/stores.ts';

const row = { name: 'x', value: 'y', created_at: 1 };

t.test('a write', async (t) => {
  await eachStore(t, 'is seen by reads once it is committed, and gone when it throws', async (t, store) => {
    await store.write(async (tx) => {
      await tx.insertInto('secrets').values(row).execute();
      t.same(await store.read.selectFrom('secrets').selectAll().execute(), [], 'not before');
    });
    t.same(await store.read.selectFrom('secrets').selectAll().execute(), [row]);
    const failing = store.write(async (tx) => {
      await tx.deleteFrom('secrets').execute();
      throw new Error('no');
    });
    await t.rejects(failing, /no/);
    t.same(await store.read.selectFrom('secrets').selectAll().execute(), [row]);
  });

  await eachStore(t, 'has what it read: of 40 increments at once none is lost', async (t, store) => {
    await store.write((tx) =>
      tx
        .insertInto('secrets')
        .values({ ...row, value: '0' })
        .execute(),
    );
    await Promise.all(
      Array.from({ length: 40 }, () =>
        store.write(async (tx) => {
          const { value } = await tx
            .selectFrom('secrets')
            .select('value')
            .modifyEnd(store.dialect.forUpdate)
            .executeTakeFirstOrThrow();
          await tx
            .updateTable('secrets')
            .set({ value: String(Number(value) + 1) })
            .execute();
        }),
      ),
    );
    t.match(await store.read.selectFrom('secrets').selectAll().execute(), [{ value: '40' }]);
  });

  await eachStore(t, 'keeps whole numbers up to 2^53 and text of every kind', async (t, store) => {
    const kept = {
      name: 'é\u{1F600}"\'\\%',
      value: `a\nb\t${'x'.repeat(100_000)}`,
      created_at: Number.MAX_SAFE_INTEGER,
    };
    await store.write((tx) => tx.insertInto('secrets').values(kept).execute());
    t.same(await store.read.selectFrom('secrets').selectAll().execute(), [kept]);
  });
});

t.test('the embedded store refuses a write through its reader', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  await t.rejects(store.read.insertInto('secrets').values(row).execute(), /readonly/);
});

t.test('two transactions of PostgreSQL that block each other both end', async (t) => {
  const store = await openTestStore(t, 'postgres');
  await store.write((tx) =>
    tx
      .insertInto('secrets')
      .values([row, { ...row, name: 'z' }])
      .execute(),
  );
  let runs = 0;
  const both = Promise.withResolvers<void>();
  const touch = (first: string, second: string) =>
    store.write(async (tx) => {
      runs += 1;
      const add = (name: string) =>
        tx.updateTable('secrets').set({ value: sql`value || '+'` }).where('name', '=', name).execute();
      await add(first);
      if (runs >= 2) both.resolve();
      await both.promise;
      await add(second);
    });
  await Promise.all([touch('x', 'z'), touch('z', 'x')]);
  t.ok(runs > 2, 'the one that lost ran again');
  t.match(await store.read.selectFrom('secrets').select('value').execute(), [
    { value: 'y++' },
    { value: 'y++' },
  ]);
});

t.test('news', async (t) => {
  await eachStore(t, 'reaches who listens, by channel, until they stop', async (t, store) => {
    const heard: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const stop = store.listen('work', () => heard.push('stopped'));
    stop();
    store.listen('work', () => {
      heard.push('work');
      waiting.resolve();
    });
    store.listen('other', () => heard.push('other'));
    store.notify('work');
    await waiting.promise;
    t.same(heard, ['work']);
  });

  await t.test(
    'goes to every server on one PostgreSQL, and again after the connection was lost',
    async (t) => {
      const settings = await storeSettings(t, 'postgres');
      const [first, second] = [
        await openStore(settings, silentLogger),
        await openStore(settings, silentLogger),
      ];
      t.teardown(() => Promise.all([first.close(), second.close()]));
      const hear = () => {
        const heard = Promise.withResolvers<void>();
        const stop = second.listen('work', heard.resolve);
        return heard.promise.then(stop);
      };
      const before = hear();
      first.notify('work');
      await before;
      const woken = hear();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen headgate' and datname = current_database()`.execute(
        first.read,
      );
      await woken;
      t.pass('once it is back it wakes everybody, for news may have been lost');
      const after = hear();
      first.notify('work');
      await after;
    },
  );
});
