import { Binary, BSON, Long, ObjectId, UUID } from 'mongodb';
import t from 'tap';
import type { Column } from '../../../src/drivers/driver.ts';
import { withoutMongodb } from '../../support/ferretdb.ts';
import { column, fault, never, writeAll } from '../sql/engines.ts';
import { batchesOf, connectDatabase, rowsOf } from './mongo-database.ts';

const skip = withoutMongodb();
const id = '65f0a1b2c3d4e5f601234567';
const uuid = '123e4567-e89b-42d3-a456-426614174000';

t.test(
  'every type arrives as documented, plain and extended, and goes back as it was',
  { skip },
  async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    const document = {
      _id: new ObjectId(id),
      text: 'ü',
      yes: true,
      int: 5,
      long: Long.fromString('9007199254740993'),
      near: Long.fromNumber(3_000_000_000),
      double: 1.5,
      at: new Date('2026-01-31T12:00:00.123Z'),
      bytes: new Binary(Buffer.from([1, 2, 255])),
      none: null,
      nested: { by: new ObjectId(id), list: [1, { at: new Date(0) }] },
    };
    await db.collection('all').insertOne(document);
    const [batch] = await batchesOf(c, 'find', { collection: 'all' });
    t.strictSame(batch?.rows, [
      {
        _id: id,
        text: 'ü',
        yes: true,
        int: 5,
        long: '9007199254740993',
        near: 3_000_000_000,
        double: 1.5,
        at: '2026-01-31T12:00:00.123Z',
        bytes: 'AQL/',
        none: null,
        nested: { by: id, list: [1, { at: '1970-01-01T00:00:00.000Z' }] },
      },
    ]);
    const types = Object.fromEntries((batch?.columns ?? []).map(({ name, type }) => [name, type]));
    t.strictSame(types, {
      _id: 'string',
      text: 'string',
      yes: 'boolean',
      int: 'integer',
      long: 'integer',
      near: 'integer',
      double: 'number',
      at: 'timestamp',
      bytes: 'binary',
      none: 'unknown',
      nested: 'json',
    });
    const raw = { promoteValues: false, promoteLongs: false } as const;
    const wanted = BSON.EJSON.stringify(await db.collection('all').findOne({}, raw), { relaxed: false });
    for (const values of ['plain', 'extended']) {
      const [read] = await batchesOf(c, 'find', { collection: 'all', values });
      if (read !== undefined) await writeAll(c, { mode: 'replace', object: values }, read);
      const [got] = await db.collection(values).find({}, raw).toArray();
      if (values === 'extended')
        t.equal(BSON.EJSON.stringify(got, { relaxed: false }), wanted, 'nothing is lost');
      else t.match(got, { _id: new ObjectId(id), at: document.at }, 'types that columns know are kept');
    }
  },
);

t.test('values of rows become the types of their columns', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  const columns: Column[] = [
    column('id', 'integer'),
    column('big', 'integer'),
    column('amount', 'number'),
    column('at', 'timestamp'),
    column('local_at', 'timestamp'),
    column('odd_at', 'timestamp'),
    column('day', 'date'),
    column('bytes', 'binary'),
    column('data', 'json'),
    { ...column('uuid', 'string'), native_type: 'uuid' },
  ];
  const row = {
    id: 1,
    big: '9007199254740993',
    amount: 2,
    at: '2026-01-31T12:00:00.123000Z',
    local_at: '2026-01-31T12:00:00.5',
    odd_at: 'infinity',
    day: '2026-01-31',
    bytes: 'AQL/',
    data: { by: { $oid: id }, at: { $date: '2026-01-31T12:00:00+01:00' } },
    uuid,
  };
  await writeAll(c, { mode: 'append' }, { columns, rows: [row] });
  const [got] = await db
    .collection('people')
    .find({}, { promoteValues: false, promoteLongs: false })
    .toArray();
  t.equal(String(got?.['big']), '9007199254740993');
  t.equal(got?.['big']._bsontype, 'Long');
  t.equal(got?.['amount']._bsontype, 'Double');
  t.equal(got?.['id']._bsontype, 'Int32');
  t.strictSame(got?.['at'], new Date('2026-01-31T12:00:00.123Z'));
  t.strictSame(
    got?.['local_at'],
    new Date('2026-01-31T12:00:00.500Z'),
    'a time without a zone is one of UTC',
  );
  t.equal(got?.['odd_at'], 'infinity');
  t.equal(got?.['day'], '2026-01-31');
  t.strictSame(got?.['data'], { by: new ObjectId(id), at: new Date('2026-01-31T11:00:00Z') });
  t.equal(new UUID(got?.['uuid']).toString(), uuid);
  for (const [type, value] of [
    ['decimal', '1'.repeat(35)],
    ['decimal', 'abc'],
    ['integer', '1'.repeat(40)],
    ['number', '9007199254740993'],
    ['number', '1e400'],
    ['timestamp', '2026-01-31T12:00:00.123456Z'],
    ['timestamp', '2026-01-31T12:00:00.1234'],
    ['binary', 'hello world'],
    ['binary', 'é'],
    ['string', 'half \ud800'],
    ['json', { a: ['half \ud800'] }],
    ['json', { 'half \ud800': 1 }],
    ['json', { $date: '2026-02-30T00:00:00Z' }],
    ['json', { a: [{ $code: 'x' }] }],
  ] as const) {
    const unfit = writeAll(
      c,
      { mode: 'append', object: 'unfit' },
      { columns: [column('v', type)], rows: [{ v: value }] },
    );
    await t.rejects(unfit, Object.assign(fault('DATA'), { column: 'v' }));
  }
});

t.test('fields that documents lack are absent, and mixed types are json', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  await db.collection('mixed').insertMany([
    { n: 1, v: 1 },
    { n: 2, v: 'x', more: { a: { b: 7 } } },
    { n: 3, v: 2.5, list: [{ a: 1 }, { a: 2 }] },
  ]);
  t.strictSame(
    await rowsOf(c, 'find', { collection: 'mixed', sort: ['n'], columns: ['n', 'v', 'more.a.b', 'list.a'] }),
    [
      { n: 1, v: 1, 'more.a.b': undefined, 'list.a': undefined },
      { n: 2, v: 'x', 'more.a.b': 7, 'list.a': undefined },
      { n: 3, v: 2.5, 'more.a.b': undefined, 'list.a': [1, 2] },
    ],
  );
  const described = await c.describe('mixed', never);
  t.match(
    described.map(({ name, type, nullable }) => [name, type, nullable]),
    [
      ['_id', 'string', false],
      ['n', 'integer', false],
      ['v', 'json', false],
      ['more', 'json', true],
      ['list', 'json', true],
      ['more.a', 'json', true],
      ['more.a.b', 'integer', true],
    ],
  );
  await t.rejects(c.describe('absent', never), fault('CONFIG', 'There is no collection "absent"'));
  const batches = await batchesOf(c, 'find', { collection: 'mixed' }, { batchRows: 2, limit: 3 });
  t.equal(batches.flatMap(({ rows }) => rows).length, 3);
});

t.test('Extended JSON that is none is an error of its place', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [
      { at: { $gt: { $date: '2026-02-31T00:00:00Z' } } },
      /In "filter.at.\$gt": "\$date" takes a time that exists/,
    ],
    [{ at: { $date: 'yesterday' } }, /\$date/],
    [{ at: { $date: '2026-01-01' } }, /\$date/],
    [{ at: { $date: 7 } }, /\$date/],
    [{ _id: { $oid: 'xyz' } }, /\$oid/],
    [{ n: { $numberLong: '9223372036854775808' } }, /\$numberLong/],
    [{ n: { $numberLong: 5 } }, /\$numberLong/],
    [{ n: { $numberDecimal: 'x' } }, /\$numberDecimal/],
    [{ n: { $numberDouble: '' } }, /\$numberDouble/],
    [{ n: { $uuid: 'x' } }, /\$uuid/],
    [{ n: { $binary: { base64: '*', subType: '00' } } }, /\$binary/],
    [{ n: { $oid: id, x: 1 } }, /stands beside/],
    [{ n: { $code: 'x' } }, /code or a reference/],
    [{ n: { $ref: 'x', $id: 1 } }, /code or a reference/],
  ];
  for (const [filter, message] of wrong)
    await t.rejects(rowsOf(c, 'find', { collection: 'c', filter }), fault('CONFIG', message));
  await t.rejects(
    c.call('insert_many', { collection: 'c', documents: [{ a: { $date: '2026-13-01T00:00:00Z' } }] }, never),
    fault('CONFIG', /documents.0.a/),
  );
});
