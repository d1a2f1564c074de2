import { Decimal128, MongoClient, ObjectId } from 'mongodb';
import t from 'tap';
import { mongodbDriver } from '../../../src/drivers/mongodb/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { batchOf, column, fault, load, never, writeAll } from '../sql/engines.ts';
import { connectTo, rowsOf } from './mongo-database.ts';
import { startWireServer, type WireOptions } from './wire-server.ts';

type Tap = { teardown(fn: () => unknown): void };

async function connectWire(t: Tap, options: WireOptions = {}) {
  const server = await startWireServer(options);
  t.teardown(() => server.close());
  const connection = await connectTo(t, { host: '127.0.0.1', port: server.port, database: 'shop' });
  return { server, connection };
}

const replicaSet = { name: 'set', hosts: (port: number) => [`127.0.0.1:${port}`] };

t.test('a scope reaches into every pipeline that reads a collection', async (t) => {
  const { server, connection: c } = await connectWire(t);
  for (const name of ['main', 'other'])
    for (const tenant of ['a', 'b'])
      server.store
        .documents(name)
        .push({ _id: `${name} ${tenant}`, tenant, n: 1, mark: tenant === 'a' ? 'kept' : 'LEAK' });
  const pipeline = [
    { $match: { $or: [{}, { tenant: 'b' }] } },
    { $lookup: { from: 'other', as: 'found', pipeline: [{ $unionWith: { coll: 'main' } }] } },
    { $unionWith: 'other' },
    { $facet: { all: [{ $lookup: { from: 'main', as: 'more', pipeline: [] } }], n: [{ $count: 'n' }] } },
  ];
  const args = { collection: 'main', pipeline };
  const read = async (given: unknown) => JSON.stringify(await rowsOf(c, 'aggregate', given));
  t.match(await read(args), /LEAK/, 'without a scope all of it is there');
  const scoped = await read(scopeArgs(mongodbDriver, 'aggregate', args, { tenant: 'a' }));
  t.notMatch(scoped, /LEAK/);
  t.match(scoped, /kept/);
  const sent = server.commands.filter(({ aggregate }) => aggregate === 'main').at(-1);
  t.match(sent, { pipeline: [{ $match: { tenant: 'a' } }] });
});

t.test('decimals come and go with all their digits', async (t) => {
  const { server, connection: c } = await connectWire(t);
  const digits = '1234567890123456789012345678.901234';
  const batch = {
    columns: [column('id', 'integer'), column('amount', 'decimal')],
    rows: [{ id: 1, amount: digits }],
  };
  await writeAll(c, { mode: 'append' }, batch);
  t.match(server.store.documents('people'), [{ amount: Decimal128.fromString(digits) }]);
  const [row] = await rowsOf(c, 'find', { collection: 'people', columns: ['amount'] });
  t.strictSame(row, { amount: digits });
  const [whole] = await rowsOf(c, 'find', { collection: 'people', columns: ['amount'], values: 'extended' });
  t.strictSame(whole, { amount: { $numberDecimal: digits } });
  await rowsOf(c, 'find', { collection: 'people', where: { amount: digits } });
  t.match(
    server.commands.findLast(({ find }) => find === 'people'),
    {
      filter: { amount: { $in: [digits, Decimal128.fromString(digits)] } },
    },
  );
});

t.test('with transactions a batch is whole or not at all, and an _id can change', async (t) => {
  const { server, connection: c } = await connectWire(t, { replicaSet });
  t.match(await c.test(never), /^MongoDB 8.0.0, with transactions; the database has no collections$/);
  const people = () => server.store.documents('people').map(({ _id, ...rest }) => rest);
  await writeAll(
    c,
    { mode: 'merge' },
    batchOf([
      { id: 1, email: 'a', old: true },
      { id: 2, email: 'b', old: true },
    ]),
  );
  await c.call(
    'bulk_write',
    { collection: 'people', operations: [{ updateOne: { filter: { id: 2 }, update: { $set: { x: 1 } } } }] },
    never,
  );
  const client = await MongoClient.connect(`mongodb://127.0.0.1:${server.port}/?directConnection=true`);
  t.teardown(() => client.close());
  await client.db('shop').collection('people').createIndex({ email: 1 }, { unique: true });
  const before = people();
  const writer = await c.openWriter(load({ mode: 'merge', rowsMayFail: true }));
  await t.rejects(
    writer.write(
      batchOf([
        { id: 1, email: 'c' },
        { id: 3, email: 'b' },
      ]),
    ),
    Object.assign(fault('DATA', 'There is a document with email = "b" already'), { column: 'email' }),
  );
  t.strictSame(people(), before, 'the first row, too, is as it was');
  await writer.write(batchOf([{ id: 1, email: 'c' }]));
  t.equal((await writer.commit()).rows, 1);
  const id = new ObjectId();
  const columns = [
    { name: '_id', type: 'string', nullable: false, native_type: 'objectId' } as const,
    column('id', 'integer'),
    column('email', 'string'),
  ];
  await writeAll(c, { mode: 'merge' }, { columns, rows: [{ _id: id.toHexString(), id: 2, email: 'z' }] });
  const moved = server.store.documents('people').filter((one) => one['id'] === 2);
  t.match(moved, [{ _id: id, email: 'z', old: true, x: 1 }]);
  t.equal(moved.length, 1);
});

t.test('rows that a validation of the collection refuses name the field', async (t) => {
  const details = {
    details: { schemaRulesNotSatisfied: [{ propertiesNotSatisfied: [{ propertyName: 'age' }] }] },
  };
  const writeErrors = [{ index: 0, code: 121, errmsg: 'Document failed validation', errInfo: details }];
  const { connection: c } = await connectWire(t, {
    answer: (name, { insert }) =>
      name === 'insert' && insert === 'people' ? { ok: 1, n: 0, writeErrors } : undefined,
  });
  await t.rejects(
    writeAll(c, { mode: 'append' }, batchOf([{ age: 'x' }])),
    Object.assign(fault('DATA', /"age" of a document does not fit/), { column: 'age' }),
  );
});

t.test('many documents come in the batches that were asked for', async (t) => {
  const { server, connection: c } = await connectWire(t);
  const documents = server.store.documents('many');
  for (let n = 0; n < 20_000; n++) documents.push({ _id: n, n });
  let rows = 0;
  for await (const batch of c.read({
    method: 'find',
    args: { collection: 'many' },
    signal: never,
    batchRows: 1_000,
  })) {
    t.equal(batch.rows.length, 1_000);
    rows += batch.rows.length;
  }
  t.equal(rows, 20_000);
  const first = server.commands.find(({ find }) => find === 'many');
  t.match(first, { batchSize: 1_000 });
  t.notOk(first?.['maxTimeMS'], 'the database would count the whole read');
  for await (const _ of c.read({ method: 'find', args: { collection: 'many' }, signal: never, limit: 5 }));
  t.match(server.commands.filter(({ find }) => find === 'many').at(-1), { maxTimeMS: 60_000 });
});

t.test(
  'a database that gives no documents ends the read by its limit, and the connector goes on',
  async (t) => {
    let isSilent = true;
    const server = await startWireServer({
      answer: (name) => (name === 'find' && isSilent ? new Promise(() => undefined) : undefined),
    });
    t.teardown(() => server.close());
    const address = { host: '127.0.0.1', port: server.port, database: 'shop' };
    const c = await connectTo(t, { ...address, operation_timeout_ms: 300 });
    const args = { collection: 'many' };
    await t.rejects(
      async () => {
        for await (const _ of c.read({ method: 'find', args, signal: never }));
      },
      fault(
        'UNAVAILABLE',
        /^The database gave no rows for 0.3 s, and the read was ended: see "operation_timeout_ms"/,
      ),
    );
    isSilent = false;
    server.store.documents('many').push({ _id: 1 });
    t.strictSame(await rowsOf(c, 'find', args), [{ _id: 1 }]);
  },
);
