import fc from 'fast-check';
import { type Document, Long, ObjectId } from 'mongodb';
import t from 'tap';
import type { Connection, PageRequest, Row } from '../../../src/drivers/driver.ts';
import { withoutMongodb } from '../../support/ferretdb.ts';
import { fault, never } from '../sql/engines.ts';
import { connectDatabase } from './mongo-database.ts';

const skip = withoutMongodb();

async function allPages(c: Connection, request: Omit<PageRequest, 'signal'>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await c.page({ ...request, ...(cursor === undefined ? {} : { cursor }), signal: never });
    rows.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

const value = fc.constantFrom<unknown>(
  undefined,
  null,
  1,
  2,
  2.5,
  Long.fromString('9007199254740993'),
  'a',
  'b',
  true,
  false,
  new Date(0),
  new Date('2026-01-01T00:00:00Z'),
  new ObjectId('65f0a1b2c3d4e5f601234567'),
);

t.test(
  'pages give each document once, in the order of the database, whatever its types',
  { skip },
  async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(fc.record({ a: value, b: value }), { minLength: 1, maxLength: 14 }),
      fc.constantFrom(['a'], ['-a'], ['a', '-b'], ['-a', 'b'], ['_id'], ['-_id'], []),
      fc.integer({ min: 1, max: 5 }),
      async (items, sort, limit) => {
        const collection = db.collection<Document>(`items_${++run}`);
        await collection.insertMany(
          items.map(({ a, b }, n) => ({
            _id: n as never,
            ...(a === undefined ? {} : { a }),
            ...(b === undefined ? {} : { b }),
          })),
        );
        const terms = [...sort, ...(sort.some((term) => term.endsWith('_id')) ? [] : ['_id'])];
        const order = terms.map((term): [string, 1 | -1] => [
          term.replace('-', ''),
          term.startsWith('-') ? -1 : 1,
        ]);
        const wanted = (await collection.find().sort(order).toArray()).map(({ _id }) => _id);
        const got = await allPages(c, { resource: collection.collectionName, sort, limit });
        t.strictSame(
          got.map(({ _id }) => _id),
          wanted,
        );
        await collection.drop();
      },
    );
    await fc.assert(property, { numRuns: 25 });
  },
);

t.test(
  'pages with columns, a search and filters; a cursor of another query is refused',
  { skip },
  async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    const boss = new ObjectId('65f0a1b2c3d4e5f601234567');
    await db.collection('people').insertMany([
      { name: 'Ada (1)', n: 5, boss, address: { city: 'Bonn' } },
      { name: 'bob', n: 7, extra: true },
      { name: 'ADAM', n: 9 },
    ]);
    const request = { resource: 'people', sort: ['n'], limit: 10 };
    const names = async (more: Partial<PageRequest>) =>
      (await allPages(c, { ...request, ...more })).map(({ name }) => name);
    t.strictSame(await names({ search: { text: 'ada', columns: ['name'] } }), ['Ada (1)', 'ADAM']);
    t.strictSame(await names({ search: { text: '(1)', columns: ['name'] } }), ['Ada (1)']);
    t.strictSame(await names({ search: { text: boss.toHexString(), columns: ['name', 'boss'] } }), [
      'Ada (1)',
    ]);
    t.strictSame(await names({ where: [{ n: { gt: 5 } }, { n: { lt: 9 } }] }), ['bob']);
    t.strictSame(await names({ filter: { 'address.city': 'Bonn' } }), ['Ada (1)']);
    const page = await c.page({ ...request, columns: ['name', 'address.city'], limit: 1, signal: never });
    t.strictSame(page.rows, [{ name: 'Ada (1)', 'address.city': 'Bonn' }]);
    t.strictSame(
      page.columns.map(({ name, type }) => [name, type]),
      [
        ['name', 'string'],
        ['address.city', 'string'],
      ],
    );
    const whole = await c.page({ ...request, signal: never });
    t.strictSame(whole.columns.map(({ name }) => name).sort(), [
      '_id',
      'address',
      'boss',
      'extra',
      'n',
      'name',
    ]);
    const cursor = page.next_cursor ?? '';
    for (const wrong of [
      { ...request, sort: ['name'], cursor },
      { ...request, filter: { n: 5 }, cursor },
      { ...request, cursor: 'odd' },
      { ...request, cursor: Buffer.from('{"q":1,"k":[{"$code":"x"}]}').toString('base64url') },
    ])
      await t.rejects(c.page({ ...wrong, signal: never }), fault('CONFIG', /first page/));
    await t.rejects(
      c.page({ resource: 'absent', limit: 1, signal: never }),
      fault('CONFIG', /no collection/),
    );
    await t.rejects(c.page({ ...request, limit: 0, signal: never }), fault('CONFIG'));
  },
);
