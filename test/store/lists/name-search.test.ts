import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { holding, type SearchedTable } from '../../../src/store/lists/name-search.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { fewOrMany } from '../../support/fault-list.ts';
import { createDatabase } from '../../support/postgres.ts';
import { eachStore } from '../../support/stores.ts';

const USER = {
  role: 'viewer',
  status: 'active',
  password_hash: '',
  totp_confirmed: 0,
  totp_last_step: 0,
  recovery_hashes_json: '[]',
  version: 1,
  created_at: 0,
  updated_at: 0,
};
/** Fails where the index is not that of the table. Source: https://sqlite.org/fts5.html#the_integrity_check_command. */
const HAS_EACH_NAME = sql`insert into users_trigrams (users_trigrams, rank) values ('integrity-check', 1)`;
/** Few characters, so that names share parts; with wildcards of the engines, quotes, and what cases and signs do to bytes. */
const text = (maxLength: number) =>
  fc
    .array(
      fc.constantFrom(
        'a',
        'A',
        'b',
        'B',
        'c',
        '%',
        '_',
        '\\',
        '"',
        "'",
        '*',
        ' ',
        'ä',
        'Ä',
        'É',
        'я',
        'Я',
        '√',
        '🙂',
      ),
      {
        minLength: 1,
        maxLength,
      },
    )
    .map((chars) => chars.join(''));

async function namesWith(store: Store, table: SearchedTable, q: string): Promise<string[]> {
  const condition = await holding(store.read, table, q);
  return namesWhere(store, table, condition);
}

async function namesWhere(store: Store, table: SearchedTable, where: RawBuilder<boolean>): Promise<string[]> {
  const query = store.read
    .selectFrom(table as 'users')
    .select('name')
    .where(where)
    .orderBy('id');
  return (await query.execute()).map(({ name }) => name);
}

/** As a look at every name finds it. */
async function scanned(store: Store, q: string, byStart: boolean): Promise<string[]> {
  const rows = await store.read.selectFrom('users').select(['email', 'name']).orderBy('id').execute();
  const holds = (value: string) => {
    const at = value.toLowerCase().indexOf(q.toLowerCase());
    return byStart ? at === 0 : at >= 0;
  };
  return rows.filter(({ email, name }) => holds(email) || holds(name)).map(({ name }) => name);
}

await eachStore(t, 'the index finds the names that a scan finds, after any change', async (t, store) => {
  const step = fc.record({
    id: fc.integer({ min: 1, max: 8 }),
    email: text(6),
    name: text(6),
    gone: fc.boolean(),
  });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), text(5), async (steps, q) => {
    await store.write(async (tx) => {
      await tx.deleteFrom('users').execute();
      for (const { id, email, name, gone } of steps) {
        const row = { id, email: `${email}@${id}`, name, ...USER };
        const renamed = tx
          .insertInto('users')
          .values(row)
          .onConflict((oc) => oc.column('id').doUpdateSet(row));
        if (gone) await tx.deleteFrom('users').where('id', '=', id).execute();
        else await renamed.execute();
      }
    });
    if (store.dialect.name === 'sqlite') await store.write((tx) => HAS_EACH_NAME.execute(tx));
    const byStart = Array.from(q.toLowerCase()).length < 3;
    t.same(await namesWith(store, 'users', q), await scanned(store, q, byStart));
  });
  await fc.assert(property, { numRuns: fewOrMany(60, 1_000) });
});

await eachStore(
  t,
  'a search reads an index, not every name; more finds than a page needs end at the limit',
  async (t, store) => {
    await store.write(async (tx) => {
      const rows = Array.from({ length: 1_200 }, (_, at) => ({
        email: `${at}@x`,
        name: `Name ${at}`,
        ...USER,
      }));
      await tx.insertInto('users').values(rows).execute();
    });
    t.same(
      await namesWith(store, 'users', 'ME 113'),
      [113, ...Array.from({ length: 10 }, (_, at) => 1130 + at)].map((at) => `Name ${at}`),
    );
    t.same(await namesWith(store, 'users', '11'), [
      'Name 11',
      ...Array.from({ length: 10 }, (_, at) => `Name ${110 + at}`),
      ...Array.from({ length: 100 }, (_, at) => `Name ${1100 + at}`),
    ]);
    t.equal((await namesWith(store, 'users', 'name')).length, 1_200);
    for (const q of ['113', '11']) {
      const query = store.read
        .selectFrom('users')
        .select('id')
        .where(await holding(store.read, 'users', q));
      await store.write(async (tx) => {
        // So small a table would be read whole; what is of interest is whether the index fits the question.
        if (store.dialect.name === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
        const { sql: text, parameters } = query.compile();
        const explain = store.dialect.name === 'postgres' ? 'explain' : 'explain query plan';
        const { rows } = await tx.executeQuery<object>({
          ...query.compile(),
          sql: `${explain} ${text}`,
          parameters,
        });
        t.notMatch(JSON.stringify(rows), /SCAN users|Seq Scan/, JSON.stringify(rows));
      });
    }
  },
);

t.test('a database without pg_trgm finds how names begin, until a restart with it', async (t) => {
  const { url } = await createDatabase(t);
  const role = `limited_${Date.now()}`;
  const admin = new pg.Client(url);
  await admin.connect();
  t.teardown(() => admin.end());
  await admin.query(`create role ${role} login password 'limited'; grant all on schema public to ${role}`);
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'limited';
  const settings = { kind: 'serverdb', url: limited.href, poolMax: 2 } as const;
  const names = ['Nightly orders', 'Orders'];
  const open = async (expected: readonly string[]) => {
    const store = await openStore(settings, silentLogger);
    t.same(await namesWith(store, 'users', 'ORD'), expected);
    return store;
  };
  const first = await openStore(settings, silentLogger);
  await first.write(async (tx) => {
    await tx
      .insertInto('users')
      .values(names.map((name) => ({ email: `x@${name}`, name, ...USER })))
      .execute();
  });
  await first.close();
  await (await open(['Orders'])).close();
  await admin.query('create extension pg_trgm');
  await (await open(names)).close();
  await admin.query(`drop owned by ${role}; drop role ${role}`);
});

await eachStore(
  t,
  'a name with capital letters of any alphabet is found by itself, in any case, and by its beginning',
  async (t, store) => {
    const names = ['Österreich laden', 'ÉCOLE', 'Übertrag', 'ЯНДЕКС', 'Ärzte', 'ö'];
    await store.write(async (tx) => {
      for (const [at, name] of names.entries())
        await tx
          .insertInto('users')
          .values({ ...USER, id: at + 1, email: `${at}@example.com`, name })
          .execute();
    });
    for (const name of names)
      for (const q of [
        name,
        name.toLowerCase(),
        name.toUpperCase(),
        name.slice(0, 2),
        name.slice(0, 1).toLowerCase(),
      ])
        t.ok((await namesWith(store, 'users', q)).includes(name), `"${q}" finds "${name}"`);
    t.same(await namesWith(store, 'users', 'sterreich'), ['Österreich laden']);
  },
);
