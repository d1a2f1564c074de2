import { ObjectId } from 'mongodb';
import t from 'tap';
import type { WriteMode } from '../../../src/drivers/driver.ts';
import { EMPTYING_MODES } from '../../../src/language/task/steps/load/load-step.ts';
import { withoutMongodb } from '../../support/ferretdb.ts';
import { batchOf, column, fault, load, never, writeAll } from '../sql/engines.ts';
import { connectDatabase, contentOf } from './mongo-database.ts';

const skip = withoutMongodb();
const row = (id: number, name: string | null = `n${id}`) => ({ id, name });
const modes: readonly WriteMode[] = [
  'append',
  'replace',
  'truncate_insert',
  'upsert',
  'merge',
  'insert_only',
];

for (const mode of modes) {
  t.test(`${mode} makes a missing collection and gives back the number of rows`, { skip }, async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    t.equal(await writeAll(c, { mode }, batchOf([row(1), row(2)]), batchOf([row(3)])), 3);
    t.strictSame(await contentOf(db, 'people'), [row(1), row(2), row(3)]);
    const names = (await db.listCollections().toArray()).map(({ name }) => name);
    t.strictSame(
      names.filter((name) => name.startsWith('_headgate_stage')),
      [],
      'nothing else is left',
    );
    t.strictSame(await c.listResources(never), [{ name: 'people', type: 'collection' }]);
  });

  t.test(
    `${mode} takes a batch as a whole or not at all, and goes on after a bad one`,
    { skip },
    async (t) => {
      const { connection: c, db } = await connectDatabase(t);
      await db.collection('people').createIndex({ email: 1 }, { unique: true });
      const writer = await c.openWriter(load({ mode, rowsMayFail: true }));
      await writer.write(batchOf([{ ...row(1), email: 'a' }]));
      const bad = [
        { ...row(2), email: 'b' },
        { ...row(3), email: 'a' },
        { ...row(4), email: 'd' },
      ];
      // Of a batch of changes FerretDB does not say which one it refused.
      const wanted = fault('DATA', /^There is a document with email = "[ab]" already$/);
      await t.rejects(writer.write(batchOf(bad)), Object.assign(wanted, { column: 'email' }));
      await writer.write(batchOf([bad[0] as object as Record<string, unknown>]));
      t.equal((await writer.commit()).rows, 2);
      t.strictSame(
        (await contentOf(db, 'people')).map(({ id, email }) => [id, email]),
        [
          [1, 'a'],
          [2, 'b'],
        ],
      );
    },
  );
}

t.test(
  'an append that is aborted, or whose program dies, leaves nothing; a retry writes nothing twice',
  { skip },
  async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    const own = new ObjectId();
    await db.collection('people').insertMany([
      { id: 9, name: 'old' },
      { _id: own, id: 8, name: 'own' },
    ]);
    const before = await contentOf(db, 'people');
    const aborted = await c.openWriter(load({ mode: 'append' }));
    await aborted.write(batchOf([row(1), row(2)]));
    await aborted.write(batchOf([{ _id: 'given', ...row(3) }]));
    await t.rejects(
      aborted.write({
        columns: [{ name: '_id', type: 'string', nullable: false, native_type: 'objectId' }],
        rows: [{ _id: own.toHexString() }],
      }),
      fault('DATA', /_id = .* already/),
    );
    t.equal((await contentOf(db, 'people')).length, 5);
    await aborted.abort();
    t.strictSame(await contentOf(db, 'people'), before, 'what was there is there');
    const dead = await c.openWriter(load({ mode: 'append' }));
    await dead.write(batchOf([row(1), { ...row(2) }]));
    await dead.write(batchOf([{ _id: 'given', ...row(3) }]));
    // The next attempt of the same load.
    t.equal(
      await writeAll(c, { mode: 'append' }, batchOf([row(1)]), batchOf([{ _id: 'given', ...row(2) }])),
      2,
    );
    t.strictSame(await contentOf(db, 'people'), [row(1), row(2), ...before]);
    await t.rejects(dead.commit(), fault('UNAVAILABLE', /Another attempt/));
    await dead.abort();
    const again = await c.openWriter(load({ mode: 'append' }));
    t.strictSame(again.alreadyDone, { rows: 2 });
    await again.abort();
    t.strictSame(await contentOf(db, 'people'), [row(1), row(2), ...before]);
    t.equal(await db.collection('_headgate_undo').countDocuments(), 0, 'no notes are left');
  },
);

t.test(
  'keyed modes: the last row wins, the first of insert_only, and delete counts what it found',
  { skip },
  async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    await db.collection('people').insertMany([
      { id: 1, name: 'old', more: true },
      { id: 5, name: 'five' },
    ]);
    t.equal(await writeAll(c, { mode: 'merge' }, batchOf([row(1, 'a'), row(2, 'b'), row(1, 'c')])), 3);
    t.strictSame(await contentOf(db, 'people'), [
      { id: 1, name: 'c', more: true },
      row(2, 'b'),
      row(5, 'five'),
    ]);
    t.equal(await writeAll(c, { mode: 'insert_only' }, batchOf([row(3, 'x'), row(3, 'y'), row(2, 'z')])), 1);
    t.strictSame(
      (await contentOf(db, 'people')).map(({ name }) => name),
      ['c', 'b', 'x', 'five'],
    );
    t.equal(await writeAll(c, { mode: 'delete' }, batchOf([row(3), row(7), row(2)])), 2);
    t.strictSame(
      (await contentOf(db, 'people')).map(({ id }) => id),
      [1, 5],
    );
    await t.rejects(
      writeAll(c, { mode: 'merge' }, batchOf([{ id: null, name: 'a' }])),
      fault('DATA', /empty/),
    );
    await db.collection('twice').insertMany([row(1), row(1)]);
    await t.rejects(
      writeAll(c, { mode: 'merge', object: 'twice' }, batchOf([row(1)])),
      fault('CONFIG', /several documents/),
    );
  },
);

t.test('a merge with another _id is refused where there are no transactions', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  const { setName, msg } = await db.admin().command({ hello: 1 });
  if (setName !== undefined || msg !== undefined) return t.pass('the server has transactions');
  await db.collection('people').insertOne({ _id: 'a' as never, id: 1, name: 'old' });
  t.equal(
    await writeAll(
      c,
      { mode: 'merge' },
      batchOf([
        { _id: 'a', id: 1, name: 'same' },
        { _id: 'b', ...row(2) },
      ]),
    ),
    2,
  );
  await t.rejects(
    writeAll(c, { mode: 'merge' }, batchOf([{ _id: 'c', ...row(1) }])),
    fault('DATA', /id = 1 has another "_id"/),
  );
  const all = await db.collection('people').find().sort({ id: 1 }).toArray();
  t.strictSame(
    all.map(({ _id, name }) => [_id, name]),
    [
      ['a', 'same'],
      ['b', 'n2'],
    ],
  );
});

for (const mode of EMPTYING_MODES) {
  t.test(`${mode} shows the old documents until the end, and keeps the indexes`, { skip }, async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    await db.collection('people').insertOne(row(9));
    await db.collection('people').createIndex({ name: 1 }, { unique: true, name: 'by_name' });
    const writer = await c.openWriter(load({ mode }));
    await writer.write(batchOf([row(1)]));
    t.strictSame(await contentOf(db, 'people'), [row(9)]);
    await writer.abort();
    t.strictSame(await contentOf(db, 'people'), [row(9)]);
    t.equal(await writeAll(c, { mode }), 0);
    t.strictSame(await contentOf(db, 'people'), [row(9)], 'no rows: it stays');
    t.equal(await writeAll(c, { mode }, batchOf([row(1), row(2)])), 2);
    t.strictSame(await contentOf(db, 'people'), [row(1), row(2)]);
    const indexes = await db.collection('people').indexes();
    t.ok(indexes.some(({ name, unique }) => name === 'by_name' && unique === true));
    t.equal(await writeAll(c, { mode, allowEmpty: true }), 0);
    t.strictSame(await contentOf(db, 'people'), []);
    t.strictSame(
      (await db.listCollections().toArray()).map(({ name }) => name),
      ['people'],
    );
  });
}

t.test('names that no field can have, and fields within each other', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  for (const name of ['$set', 'a..b', '.a', 'a.', 'a\0'])
    await t.rejects(
      writeAll(c, { mode: 'append' }, batchOf([{ [name]: 1 }])),
      fault('CONFIG', /name of a field/),
    );
  await t.rejects(
    writeAll(c, { mode: 'append' }, batchOf([{ a: 1, 'a.b': 2 }])),
    fault('CONFIG', /cannot both/),
  );
  await t.rejects(c.openWriter(load({ mode: 'append', object: 'system.users' })), fault('CONFIG'));
  await t.rejects(
    c.openWriter({ ...load({ mode: 'append' }), key: ['id'] }),
    fault('CONFIG', /takes no key/),
  );
  t.equal(
    await writeAll(c, { mode: 'append' }, batchOf([{ id: 1, 'address.city': 'Bonn', 'address.zip': '53' }])),
    1,
  );
  t.strictSame(await contentOf(db, 'people'), [{ id: 1, address: { city: 'Bonn', zip: '53' } }]);
  t.equal(await writeAll(c, { mode: 'merge' }, batchOf([{ id: 1, 'address.city': 'Köln' }])), 1);
  t.strictSame(await contentOf(db, 'people'), [{ id: 1, address: { city: 'Köln', zip: '53' } }]);
});

t.test('a document of more than 16 MB does not fit, and the load goes on', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  const writer = await c.openWriter(load({ mode: 'append', rowsMayFail: true }));
  await t.rejects(
    writer.write(batchOf([row(1, 'x'.repeat(17_000_000))])),
    fault('DATA', /A document does not fit: MongoDB takes up to 16 MB/),
  );
  await writer.write(batchOf([row(2)]));
  await writer.commit();
  t.strictSame(await contentOf(db, 'people'), [row(2)]);
});

t.test('what may lose digits does, and is counted', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  const lossy = new Map([
    ['at', 'truncate'],
    ['seen', 'round'],
  ] as const);
  const writer = await c.openWriter(load({ mode: 'append', lossy, rowsMayFail: true }));
  const columns = [
    column('id', 'integer'),
    column('at', 'timestamp'),
    column('seen', 'timestamp'),
    column('n', 'number'),
  ];
  const batch = (id: number, at: string, n: unknown = 1) => ({ columns, rows: [{ id, at, seen: at, n }] });
  await writer.write(batch(1, '2026-01-31T12:00:00.1Z'));
  await writer.write(batch(2, '2026-01-31T12:00:00.123999Z'));
  await t.rejects(writer.write(batch(3, '2026-01-31T12:00:00.123999Z', '9007199254740993')), fault('DATA'));
  const counts = new Map([
    ['at', 1],
    ['seen', 1],
  ]);
  t.strictSame(await writer.commit(), { rows: 2, lossy: counts });
  t.match(await contentOf(db, 'people'), [
    {},
    { at: new Date('2026-01-31T12:00:00.123Z'), seen: new Date('2026-01-31T12:00:00.124Z') },
  ]);
});
