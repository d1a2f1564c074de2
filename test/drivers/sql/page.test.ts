import fc from 'fast-check';
import t from 'tap';
import type { Connection, PageRequest, Row } from '../../../src/drivers/driver.ts';
import { sqlMethods } from '../../../src/drivers/sql/method-args.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { batchOf, engines, execute, fault, never, writeAll } from './engines.ts';

async function allPages(
  c: Connection,
  request: Omit<PageRequest, 'signal'>,
  between?: () => Promise<void>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await c.page({ ...request, ...(cursor === undefined ? {} : { cursor }), signal: never });
    rows.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
    await between?.();
  } while (cursor !== undefined);
  return rows;
}

const order = (a: unknown, b: unknown): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
};

for (const engine of engines) {
  t.test(engine.name, { skip: engine.skip ?? false }, async (t) => {
    const open = await engine.prepare(t);

    t.test('pages give each row once, in order, nulls last, and first when descending', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE items (id integer PRIMARY KEY, a integer, b double precision NOT NULL)');
      const values = fc.array(
        fc.record({ a: fc.option(fc.integer({ min: -2, max: 2 })), b: fc.constantFrom(-1.5, 0, 0.1, 1e300) }),
        { minLength: 1, maxLength: 12 },
      );
      const sorts = fc.subarray(['a', 'b', 'id']).chain((names) => {
        return fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`)));
      });
      const property = fc.asyncProperty(
        values,
        sorts,
        fc.integer({ min: 1, max: 5 }),
        async (items, sort, limit) => {
          const rows = items.map((item, id) => ({ id, ...item }));
          await writeAll(c, { mode: 'replace', object: 'items' }, batchOf(rows));
          const found = await allPages(c, { resource: 'items', sort, limit });
          const wanted = rows.toSorted((x, y) => {
            for (const term of [...sort, 'id']) {
              const name = term.replace('-', '') as 'id' | 'a' | 'b';
              const result = order(x[name], y[name]) * (term.startsWith('-') ? -1 : 1);
              if (result !== 0) return result;
            }
            return 0;
          });
          t.strictSame(found, wanted);
        },
      );
      await fc.assert(property, { numRuns: fewOrAll(10, 25) });
    });

    t.test('rows that come while pages are read move nothing, with a key', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE items (a varchar(9) NOT NULL, b bigint NOT NULL, PRIMARY KEY (a, b))');
      const big = '9007199254740993';
      await execute(c, `INSERT INTO items VALUES ('b', 1), ('b', ${big}), ('c', 9007199254740992), ('d', 5)`);
      let added = 0;
      const rows = await allPages(c, { resource: 'items', limit: 1 }, async () => {
        added += 1;
        await execute(c, `INSERT INTO items VALUES ('a', ${added})`);
      });
      t.strictSame(rows, [
        { a: 'b', b: 1 },
        { a: 'b', b: big },
        { a: 'c', b: '9007199254740992' },
        { a: 'd', b: 5 },
      ]);
    });

    t.test('pages stay right under further conditions and a search, whatever they are', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE items (id integer PRIMARY KEY, a integer, name text, note text)');
      const texts = fc.constantFrom('Ann', 'bANNer', '100%', '1_0', 'Ärger', 'ärmel', null);
      const items = fc.array(fc.record({ a: fc.option(fc.nat(3)), name: texts, note: texts }), {
        minLength: 1,
        maxLength: 12,
      });
      const conditions = fc.oneof(
        fc
          .nat(3)
          .map((gte) => ({ filter: { a: { gte } }, holds: (row: Row) => Number(row['a'] ?? -1) >= gte })),
        fc.nat(3).map((ne) => ({
          filter: { a: { ne } },
          holds: (row: Row) => ![null, ne].includes(row['a'] as number),
        })),
        fc.constant({
          filter: { name: { is_null: false }, a: { and: [{ gte: 1 }, { gte: 0, lt: 3 }] } },
          holds: (row: Row) => row['name'] !== null && [1, 2].includes(row['a'] as number),
        }),
      );
      const searches = fc.record({
        text: fc.constantFrom('ANN', '%', '_', '1', 'ä', 'ÄR', "'"),
        columns: fc.subarray(['name', 'note', 'a'], { minLength: 1 }),
      });
      const property = fc.asyncProperty(
        items,
        fc.tuple(conditions, fc.array(conditions, { maxLength: 3 })),
        fc.option(searches, { nil: undefined }),
        fc.constantFrom(['-a'], ['name'], []),
        fc.integer({ min: 1, max: 4 }),
        async (items, [first, further], search, sort, limit) => {
          const rows = items.map((item, id) => ({ id, ...item }));
          await writeAll(c, { mode: 'replace', object: 'items' }, batchOf(rows));
          const request = {
            resource: 'items',
            columns: ['id'],
            filter: first.filter,
            where: further.map(({ filter }) => filter),
            ...(search && { search }),
            sort,
            limit,
          };
          const found = (await allPages(c, request)).map((row) => row['id']);
          const isFound = (row: Row) =>
            [first, ...further].every(({ holds }) => holds(row)) &&
            (search === undefined ||
              search.columns.some((name) => {
                const text = String(row[name] ?? '').toLowerCase();
                return text.includes(search.text.toLowerCase());
              }));
          const wanted = rows.filter(isFound).map((row) => row.id);
          t.strictSame(new Set(found), new Set(wanted));
          t.equal(found.length, wanted.length);
        },
      );
      await fc.assert(property, { numRuns: fewOrAll(20, 60) });
    });

    t.test('a search looks into columns of every type, as text', async (t) => {
      const c = await open(t);
      await execute(
        c,
        `CREATE TABLE items (id integer PRIMARY KEY, price numeric(10,2), at timestamp, yes boolean, ${engine.quoted('a "b')} text)`,
        `INSERT INTO items VALUES (1, 12.5, '2024-03-01 10:00:00', true, 'x'), (2, NULL, NULL, NULL, NULL)`,
        `INSERT INTO items VALUES (3, 7, '2023-01-01 00:00:00', false, 'Y')`,
      );
      const names = ['price', 'at', 'yes', 'a "b'];
      const ids = async (text: string) => {
        const search = { text, columns: names };
        const page = await c.page({ resource: 'items', columns: ['id'], search, limit: 9, signal: never });
        return page.rows.map((row) => row['id']);
      };
      t.strictSame(await ids('2.5'), [1]);
      t.strictSame(await ids('2023-01'), [3]);
      t.strictSame(await ids('y'), [3]);
      t.strictSame(await ids("'); --"), []);
      const letters = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0xe0 + i)).join('');
      t.strictSame(await ids(letters), []);
    });

    t.test('further conditions and a search are checked, and a cursor is bound to them', async (t) => {
      const c = await open(t);
      await execute(
        c,
        'CREATE TABLE items (id integer PRIMARY KEY, a integer)',
        'INSERT INTO items VALUES (1, 1), (2, 2), (12, 2)',
      );
      const search = { text: '2', columns: ['id', 'a'] };
      const request = { resource: 'items', where: [{ a: 2 }], search, limit: 1, signal: never };
      const first = await c.page(request);
      t.strictSame(first.rows, [{ id: 2, a: 2 }]);
      const cursor = first.next_cursor ?? '';
      t.strictSame((await c.page({ ...request, cursor })).rows, [{ id: 12, a: 2 }]);
      const refused = fault('CONFIG', /^The cursor belongs to another query/);
      await t.rejects(c.page({ ...request, cursor, where: [] }), refused);
      await t.rejects(c.page({ ...request, cursor, where: [{ a: 2 }, { a: 2 }] }), refused);
      await t.rejects(c.page({ ...request, cursor, search: { ...search, text: '1' } }), refused);
      await t.rejects(c.page({ ...request, cursor, search: { ...search, columns: ['id'] } }), refused);
      const unknown = fault('CONFIG', '"items" has no column "nosuch"');
      await t.rejects(c.page({ ...request, where: [{ id: 1 }, { nosuch: 1 }] }), unknown);
      await t.rejects(c.page({ ...request, search: { text: 'x', columns: ['id', 'nosuch'] } }), unknown);
      for (const wrong of [
        { text: '' },
        { text: 'x'.repeat(201) },
        { columns: [] },
        { columns: Array(51).fill('id') },
      ])
        await t.rejects(
          c.page({ ...request, search: { ...search, ...wrong } }),
          fault('CONFIG', /^A search takes/),
        );
      let deep: unknown = 2;
      for (let i = 0; i < 9; i += 1) deep = { and: [deep] };
      for (const wrong of [{ and: [] }, { and: 2 }, { and: [{}] }, deep, { and: Array(101).fill(2) }, {}])
        await t.rejects(c.page({ ...request, where: [{ a: wrong }] }), fault('CONFIG'));
    });

    t.test('a list has the same rows page by page, unless its limit bounds them all', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE items (id integer PRIMARY KEY, a integer)');
      await execute(c, 'INSERT INTO items VALUES (1, 3), (2, 1), (3, 2), (4, NULL), (5, 2)');
      const list = sqlMethods.find(({ name }) => name === 'list');
      const args = { table: 'items', columns: ['a'], filter: { id: { gt: 1 } }, sort: ['-a'] };
      const view = list?.pageOf?.(args);
      t.strictSame(view, { resource: 'items', columns: ['a'], filter: { id: { gt: 1 } }, sort: ['-a'] });
      if (view == null) return;
      const listed: Row[] = [];
      for await (const batch of c.read({ method: 'list', args, signal: never })) listed.push(...batch.rows);
      t.strictSame(await allPages(c, { ...view, limit: 2 }), listed);
      t.equal(listed.length, 4);
      t.equal(list?.pageOf?.({ ...args, limit: 3 }), null);
      t.equal(list?.pageOf?.({ nosuch: 1 }), null);
    });

    t.test('a table without a key is paged too, and a view', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE items (a integer)', 'INSERT INTO items VALUES (3), (1), (2)');
      await execute(c, 'CREATE VIEW shown AS SELECT a AS b FROM items');
      t.strictSame(await allPages(c, { resource: 'items', sort: ['-a'], limit: 2 }), [
        { a: 3 },
        { a: 2 },
        { a: 1 },
      ]);
      t.strictSame(await allPages(c, { resource: 'shown', sort: ['b'], limit: 1 }), [
        { b: 1 },
        { b: 2 },
        { b: 3 },
      ]);
    });

    t.test('a cursor is refused by any other query, and so is one that was made up', async (t) => {
      const c = await open(t);
      await execute(
        c,
        'CREATE TABLE items (id integer PRIMARY KEY, a integer)',
        'INSERT INTO items VALUES (1, 1), (2, 2)',
      );
      await execute(c, 'CREATE TABLE others (id integer PRIMARY KEY, a integer)');
      const request = { resource: 'items', limit: 1, signal: never };
      const cursor = (await c.page(request)).next_cursor ?? '';
      t.equal((await c.page({ ...request, cursor })).rows.length, 1);
      const refused = fault('CONFIG', /^The cursor belongs to another query/);
      await t.rejects(c.page({ ...request, cursor, sort: ['a'] }), refused);
      await t.rejects(c.page({ ...request, cursor, filter: { a: 1 } }), refused);
      await t.rejects(c.page({ ...request, cursor, resource: 'others' }), refused);
      for (const text of ['', 'x', 'e30', 'bnVsbA', `${cursor}x`.repeat(9_999)]) {
        await t.rejects(c.page({ ...request, cursor: text }), refused);
      }
    });

    t.test('filters select as they say, with hostile values and names', async (t) => {
      const c = await open(t);
      await execute(
        c,
        `CREATE TABLE items (id integer PRIMARY KEY, name text, ${engine.quoted('we"ird; --')} integer)`,
      );
      await execute(
        c,
        `INSERT INTO items VALUES (1, 'Ann''s', 10), (2, 'bob', NULL), (3, NULL, 30), (4, '100%_', 40)`,
      );
      const ids = async (filter: PageRequest['filter']) => {
        const page = await c.page({
          resource: 'items',
          columns: ['id'],
          sort: ['id'],
          limit: 9,
          signal: never,
          ...(filter && { filter }),
        });
        return page.rows.map((row) => row['id']);
      };
      const odd = 'we"ird; --';
      t.strictSame(await ids({}), [1, 2, 3, 4]);
      t.strictSame(await ids({ name: "Ann's" }), [1]);
      t.strictSame(await ids({ name: "' OR 1=1 --" }), []);
      t.strictSame(await ids({ name: null }), [3]);
      t.strictSame(await ids({ name: { ne: 'bob' } }), [1, 4]);
      t.strictSame(await ids({ name: { contains: 'ANN' } }), [1]);
      t.strictSame(await ids({ name: { contains: '%_' } }), [4]);
      t.strictSame(await ids({ [odd]: { gte: 30, lt: 40 } }), [3]);
      t.strictSame(await ids({ id: { in: [1, 4, 99] } }), [1, 4]);
      t.strictSame(await ids({ name: { in: [] } }), []);
      t.strictSame(await ids({ name: { in: ['bob', null] } }), [2, 3]);
      t.strictSame(await ids({ [odd]: { is_null: true } }), [2]);
      t.strictSame(await ids({ [odd]: { is_null: false }, id: { gt: 1, lte: 3 } }), [3]);
      await t.rejects(ids({ name: { like: 'x' } }), fault('CONFIG'));
      await t.rejects(ids({ nosuch: 1 }), fault('CONFIG', '"items" has no column "nosuch"'));
      await t.rejects(ids({ name: { contains: 1 } }), fault('CONFIG'));
      await t.rejects(c.page({ resource: 'nosuch', limit: 1, signal: never }), fault('CONFIG'));
      await t.rejects(c.page({ resource: 'items', limit: 0, signal: never }), fault('CONFIG'));
      await t.rejects(
        c.page({ resource: 'items', limit: 1, sort: ['id', '-id'], signal: never }),
        fault('CONFIG'),
      );
    });
  });
}
