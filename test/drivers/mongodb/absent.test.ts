import type { Db } from 'mongodb';
import t from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { withoutMongodb } from '../../support/ferretdb.ts';
import { column, writeAll } from '../sql/engines.ts';
import { batchesOf, connectDatabase, contentOf } from './mongo-database.ts';

const skip = withoutMongodb();
const columns = ['id', 'a', 'b', 'c.d', 'constructor'].map((name) => column(name, 'unknown'));

const fieldsOf = async (db: Db, name: string) =>
  (await contentOf(db, name)).map((document) => Object.keys(document).toSorted());

for (const mode of ['append', 'replace', 'merge', 'insert_only'] as const)
  t.test(`${mode}: a document lacks what its record lacks, and null is null`, { skip }, async (t) => {
    const { connection: c, db } = await connectDatabase(t);
    // What `$setOnInsert` sets to null FerretDB leaves out.
    const none = mode === 'insert_only' ? 'y' : null;
    const rows: Row[] = [
      { id: 1, a: 'x' },
      { id: 2, b: none, a: undefined },
      { id: 3, 'c.d': 1 },
    ];
    t.equal(await writeAll(c, { mode }, { columns, rows }), 3);
    t.strictSame(await contentOf(db, 'people'), [
      { id: 1, a: 'x' },
      { id: 2, b: none },
      { id: 3, c: { d: 1 } },
    ]);
  });

t.test('a merge changes the fields that a record has, whatever its neighbours have', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  await db.collection('people').insertMany([1, 2, 3].map((id) => ({ id, a: 'old', b: 'keep' })));
  const rows: Row[] = [
    { id: 1, a: 'new' },
    { id: 2, b: 'new' },
    { id: 3, a: null },
    { id: 1, b: 'late' },
    { id: 4, b: 'x' },
  ];
  t.equal(await writeAll(c, { mode: 'merge' }, { columns, rows }), 5);
  t.strictSame(await contentOf(db, 'people'), [
    { id: 1, a: 'new', b: 'late' },
    { id: 2, a: 'old', b: 'new' },
    { id: 3, a: null, b: 'keep' },
    { id: 4, b: 'x' },
  ]);
});

for (const values of ['plain', 'extended'])
  t.test(
    `a copy, ${values}, has the fields that its source has, document by document`,
    { skip },
    async (t) => {
      const { connection: c, db } = await connectDatabase(t);
      await db.collection('from').insertMany([
        { id: 1, a: 1 },
        { id: 2, b: null },
        { id: 3, constructor: 'c', toString: 't', nested: { x: null } },
      ]);
      const wanted = await fieldsOf(db, 'from');
      for (const mode of ['replace', 'append', 'merge'] as const) {
        const batches = await batchesOf(c, 'find', { collection: 'from', values });
        await writeAll(c, { mode, object: mode }, ...batches);
        t.strictSame(await fieldsOf(db, mode), wanted, mode);
        t.equal(await db.collection(mode).countDocuments({ a: { $exists: true } }), 1);
        t.equal(await db.collection(mode).countDocuments({ b: { $exists: true } }), 1);
      }
    },
  );

t.test('text in a column of numbers stays text, and is never another number', { skip }, async (t) => {
  const { connection: c, db } = await connectDatabase(t);
  const texts = ['', ' ', '0x10', 'n/a'];
  const rows = texts.map((v, id) => ({ id, v }));
  await writeAll(c, { mode: 'append' }, { columns: [column('id', 'integer'), column('v', 'number')], rows });
  t.strictSame(
    (await contentOf(db, 'people')).map(({ v }) => v),
    texts,
  );
});
