import { ObjectId } from 'mongodb';
import t from 'tap';
import { mongodbDriver } from '../../../src/drivers/mongodb/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { withoutMongodb } from '../../support/ferretdb.ts';
import { fault, never } from '../sql/engines.ts';
import { connectDatabase, contentOf, rowsOf } from './mongo-database.ts';

const skip = withoutMongodb();
const people = [
  { id: 1, name: 'Ada', city: 'Bonn', age: 36, at: new Date('2026-01-01T00:00:00Z') },
  { id: 2, name: 'Bob', city: 'Köln', age: 17, at: new Date('2026-02-01T00:00:00Z') },
  { id: 3, name: 'Cem', city: 'Bonn', age: null, at: new Date('2026-03-01T00:00:00Z') },
  { id: 4, name: 'a.b', city: null, at: '2026-01-15' },
];

t.test('finds by filters of MongoDB and by conditions of other connectors', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  await db.collection('people').insertMany(people.map((one) => ({ ...one })));
  const own = new ObjectId('65f0a1b2c3d4e5f601234567');
  await db.collection('people').updateOne({ id: 1 }, { $set: { boss: own } });
  const ids = async (args: object) => {
    const rows = await rowsOf(c, 'find', { collection: 'people', sort: { id: 1 }, columns: ['id'], ...args });
    return rows.map(({ id }) => id);
  };
  t.strictSame(await ids({}), [1, 2, 3, 4]);
  t.strictSame(await ids({ filter: { $or: [{ age: { $gte: 18 } }, { city: 'Köln' }] } }), [1, 2]);
  t.strictSame(await ids({ where: { city: 'Bonn', age: { gte: 18 } } }), [1]);
  t.strictSame(await ids({ where: { city: { ne: 'Bonn' } } }), [2], 'no value is not unlike');
  t.strictSame(await ids({ where: { age: { is_null: true } } }), [3, 4]);
  t.strictSame(await ids({ where: { age: { or_null: { gt: 20 } } } }), [1, 3, 4]);
  t.strictSame(await ids({ where: { city: { in: ['Köln', null] } } }), [2, 4]);
  t.strictSame(await ids({ where: { id: { and: [{ gt: 1 }, { lt: 4 }] } } }), [2, 3]);
  t.strictSame(await ids({ where: { name: { contains: 'A.B' } } }), [4], 'a text, and no pattern');
  t.strictSame(await ids({ where: { at: { gte: '2026-02-01T00:00:00Z' } } }), [2, 3]);
  t.strictSame(await ids({ where: { at: '2026-02-01T00:00:00.000Z' } }), [2]);
  t.strictSame(await ids({ where: { boss: own.toHexString() } }), [1]);
  t.strictSame(await ids({ where: { boss: { $oid: own.toHexString() } } }), [1]);
  t.strictSame(await ids({ filter: { at: { $lt: { $date: '2026-01-02T00:00:00Z' } } } }), [1]);
  t.strictSame(await ids({ sort: ['-id'], limit: 2 }), [4, 3]);
  for (const where of [
    { age: {} },
    { age: { odd: 1 } },
    { age: { in: 1 } },
    { age: { gt: [1] } },
    { age: { and: [] } },
    { '': 1 },
  ])
    await t.rejects(ids({ where }), fault('CONFIG'));
  await t.rejects(ids({ where: { $where: '1' } }), fault('CONFIG', /"filter"/));
  await t.rejects(ids({ filter: { $where: '1' } }), fault('CONFIG', /runs code/));
  await t.rejects(ids({ collection: 'system.users' }), fault('CONFIG'));
  await t.rejects(ids({ odd: 1 }), fault('CONFIG'));
});

t.test('find_one, count, distinct and aggregate', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  await db.collection('people').insertMany(people.map((one) => ({ ...one })));
  const call = (method: string, args: object) => c.call(method, { collection: 'people', ...args }, never);
  t.match(await call('find_one', { where: { id: 2 } }), {
    id: 2,
    name: 'Bob',
    at: '2026-02-01T00:00:00.000Z',
  });
  t.strictSame(await call('find_one', { where: { id: 2 }, columns: ['name', 'none'] }), {
    name: 'Bob',
    none: undefined,
  });
  t.equal(await call('find_one', { where: { id: 9 } }), null);
  t.match(await call('find_one', { where: { id: 1 }, values: 'extended' }), { id: { $numberInt: '1' } });
  t.equal(await call('count', { filter: { city: 'Bonn' } }), 2);
  t.equal(await call('count', { collection: 'absent' }), 0);
  t.strictSame(
    ((await call('distinct', { field: 'city', where: { city: { is_null: false } } })) as string[]).sort(),
    ['Bonn', 'Köln'],
  );
  const pipeline = [{ $match: { city: 'Bonn' } }, { $group: { _id: '$city', n: { $sum: 1 } } }];
  t.strictSame(await rowsOf(c, 'aggregate', { collection: 'people', pipeline }), [{ _id: 'Bonn', n: 2 }]);
  await t.rejects(
    rowsOf(c, 'aggregate', { collection: 'people', pipeline: [{ $out: 'x' }] }),
    fault('CONFIG', /it writes/),
  );
});

t.test('a scope is in every filter', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  await db.collection('people').insertMany(people.map((one) => ({ ...one })));
  const scoped = (method: string, args: object) =>
    scopeArgs(mongodbDriver, method, { collection: 'people', ...args }, { city: 'Bonn' });
  const everyone = { filter: { $or: [{}, { city: 'Köln' }] } };
  t.strictSame(
    (await rowsOf(c, 'find', scoped('find', everyone))).map(({ id }) => id),
    [1, 3],
  );
  t.equal(await c.call('count', scoped('count', everyone), never), 2);
  t.strictSame(await c.call('distinct', scoped('distinct', { ...everyone, field: 'city' }), never), ['Bonn']);
  t.equal(await c.call('find_one', scoped('find_one', { filter: { id: 2 } }), never), null);
  const args = scoped('find', everyone);
  const view = mongodbDriver.methods[0]?.pageOf?.(args);
  const page = await c.page({ resource: 'people', limit: 10, signal: never, ...(view ?? {}) });
  t.strictSame(
    page.rows.map(({ id }) => id),
    [1, 3],
    'and in every page',
  );
});

t.test('changes one by one and in bulk', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  const call = (method: string, args: object) => c.call(method, { collection: 'people', ...args }, never);
  const made = (await call('insert_many', { documents: [{ id: 1 }, { _id: 'own', id: 2 }] })) as {
    ids: string[];
  };
  t.match(made, { rows: 2, ids: [/^[0-9a-f]{24}$/, 'own'] });
  await t.rejects(
    call('insert_many', { documents: [{ id: 3 }, { _id: 'own' }, { id: 4 }] }),
    fault('DATA', 'There is a document with _id = "own" already'),
  );
  t.equal((await contentOf(db, 'people')).length, 2, 'all of them, or none');
  t.strictSame(
    await call('upsert_many', {
      key: ['id'],
      documents: [
        { id: 2, a: 1 },
        { id: 5, a: 2 },
        { id: 2, b: 3 },
      ],
    }),
    { rows: 3 },
  );
  t.strictSame(await contentOf(db, 'people'), [{ id: 1 }, { id: 2, a: 1, b: 3 }, { id: 5, a: 2 }]);
  t.strictSame(await call('update_many', { filter: { id: { $gt: 1 } }, update: { $inc: { a: 10 } } }), {
    rows: 2,
    matched: 2,
  });
  t.strictSame(await call('delete_many', { filter: { id: 5 } }), { rows: 1 });
  t.match(
    await call('bulk_write', {
      operations: [
        { insertOne: { document: { id: 7, at: { $date: '2026-01-01T00:00:00Z' } } } },
        { updateOne: { filter: { id: 8 }, update: { $set: { a: 1 } }, upsert: true } },
        { updateMany: { filter: { id: 2 }, update: { $set: { a: 0 } } } },
        { replaceOne: { filter: { id: 1 }, replacement: { id: 1, new: true } } },
        { deleteOne: { filter: { id: 7 } } },
      ],
    }),
    { inserted: 1, upserted: 1, deleted: 1, matched: 2 },
  );
  t.strictSame(await contentOf(db, 'people'), [
    { id: 1, new: true },
    { id: 2, a: 0, b: 3 },
    { id: 8, a: 1 },
  ]);
  for (const wrong of [
    ['delete_many', { filter: {} }],
    ['update_many', { filter: {}, update: { $set: { a: 1 } } }],
    ['update_many', { filter: { id: 1 }, update: { a: 1 } }],
    ['update_many', { filter: { id: 1 }, update: { $set: { _id: 7 } } }],
    ['bulk_write', { operations: [{ deleteMany: { filter: {} } }] }],
    ['bulk_write', { operations: [{ dropDatabase: {} }] }],
    ['bulk_write', { operations: [{ deleteOne: { filter: { $where: '1' } } }] }],
    ['bulk_write', { operations: [{ insertOne: { document: { $set: 1 } } }] }],
    ['bulk_write', { operations: [{ updateOne: { filter: { id: 1 }, update: { $set: {} }, hint: 'x' } }] }],
    ['drop', {}],
  ] as const)
    await t.rejects(call(wrong[0], wrong[1]), fault('CONFIG'));
});
