import fc from 'fast-check';
import { aggregate, find } from 'mingo';
import t from 'tap';
import { type Connection, ConnectorError, type Row } from '../../../src/drivers/driver.ts';
import { dummyDriver } from '../../../src/drivers/dummy/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { fewOrAll } from '../../support/fault-list.ts';

const signal = new AbortController().signal;
const ROWS: readonly Row[] = [
  { _id: 1, tenant: 'a', n: 3, tags: ['x', 'y'], at: { city: 'Bonn' } },
  { _id: 2, tenant: 'b', n: 1.5, tags: [], at: { city: null } },
  { _id: 3, tenant: 'a', n: null, at: 'Bonn' },
  { _id: 4, tenant: 'b', n: '3', tags: 'x' },
  { _id: 5, n: 0, flag: true, tags: ['y', null] },
  { _id: 6, tenant: 'c', n: 7, flag: false },
];

function connect(config: object): Promise<Connection> {
  return dummyDriver.connect(config, { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 });
}

async function rowsOf(connection: Connection, method: string, args: unknown, options = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method, args, signal, ...options })) rows.push(...batch.rows);
  return rows;
}

const names = fc.constantFrom('_id', 'tenant', 'n', 'tags', 'flag', 'at.city', 'nosuch');
const scalars = fc.constantFrom<unknown>('a', 'b', 'x', '3', 'Bonn', 0, 1.5, 3, true, false, null);
const tests = fc.oneof(
  scalars,
  fc.tuple(fc.constantFrom('$eq', '$ne'), scalars),
  fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), fc.constantFrom('a', 'b', '3', 0, 1.5, 3)),
  fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(scalars, { maxLength: 3 })),
  fc.tuple(fc.constant('$exists'), fc.boolean()),
);
const { filter } = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    fc
      .array(fc.tuple(names, tests), { maxLength: 2 })
      .map((entries) =>
        Object.fromEntries(
          entries.map(([name, test]) => [name, Array.isArray(test) ? Object.fromEntries([test]) : test]),
        ),
      ),
    fc
      .tuple(fc.constantFrom('$and', '$or'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
      .map(([name, parts]) => ({ [name]: parts })),
  ),
}));

t.test('filters, orders and stages mean what they mean in a document database', async () => {
  const connection = await connect({ rows: ROWS });
  const idsOf = (documents: readonly object[]) => documents.map((document) => (document as Row)['_id']);
  const found = fc.asyncProperty(filter, async (filter) => {
    const wanted = idsOf(find([...ROWS], filter as never).all());
    const given = idsOf(await rowsOf(connection, 'find', { filter }));
    if (JSON.stringify(given) !== JSON.stringify(wanted)) throw new Error(`${given} instead of ${wanted}`);
  });
  await fc.assert(found, { numRuns: fewOrAll(200, 500) });
  const stages = fc.oneof(
    filter.map(($match) => ({ $match })),
    fc.integer({ min: 1, max: 5 }).map(($limit) => ({ $limit })),
    fc.nat(3).map(($skip) => ({ $skip })),
    fc.constantFrom<object>(
      { $sort: { tenant: -1, _id: 1 } },
      { $sort: { n: 1, _id: -1 } },
      { $project: { tenant: 1, n: true } },
      { $project: { _id: 1, tags: 1 } },
    ),
  );
  const piped = fc.asyncProperty(fc.array(stages, { maxLength: 4 }), async (pipeline) => {
    const wanted = aggregate(structuredClone([...ROWS]), structuredClone(pipeline) as never);
    const given = await rowsOf(connection, 'aggregate', { pipeline });
    // The rows of a batch have one shape; documents lack what they do not have.
    const plain = (rows: readonly object[]) =>
      JSON.stringify(
        rows.map((row) =>
          Object.entries(row)
            .filter(([, value]) => value !== null)
            .sort(),
        ),
      );
    if (plain(given) !== plain(wanted)) throw new Error(`${plain(given)} instead of ${plain(wanted)}`);
  });
  await fc.assert(piped, { numRuns: fewOrAll(200, 500) });
});

t.test('documents come as rows of one shape, sorted, cut and in batches', async (t) => {
  const connection = await connect({ rows: ROWS });
  t.strictSame(await rowsOf(connection, 'find', { filter: { flag: true } }), [
    { _id: 5, tenant: null, n: 0, tags: ['y', null], at: null, flag: true },
  ]);
  const sorted = { filter: { tenant: { $in: ['a', 'b'] } }, sort: { tenant: -1, _id: 1 }, limit: 3 };
  t.strictSame(
    (await rowsOf(connection, 'find', sorted)).map((row) => row['_id']),
    [2, 4, 1],
  );
  const batches: number[] = [];
  const pipeline = [{ $sort: { _id: -1 } }, { $project: { n: 1, _id: 0 } }];
  for await (const batch of connection.read({
    method: 'aggregate',
    args: { pipeline },
    signal,
    batchRows: 4,
  })) {
    batches.push(batch.rows.length);
    t.strictSame(
      batch.columns.map(({ name, type }) => `${name} ${type}`),
      ['n json'],
    );
  }
  t.strictSame(batches, [4, 2]);
  const count = (tenant: string) =>
    rowsOf(connection, 'aggregate', { pipeline: [{ $match: { tenant } }, { $count: 'found' }] });
  t.strictSame([await count('a'), await count('z')], [[{ found: 2 }], []]);
  const made = await connect({ generate: { count: 100_002, columns: ['id'] } });
  t.strictSame(await rowsOf(made, 'find', { filter: { id: { $gt: 100_001 } } }), [{ id: 100_002 }]);
  await t.rejects(rowsOf(made, 'find', { sort: { id: -1 } }), {
    message: /^Only 100,000 documents can be held/,
  });
});

t.test('anything else is an error that says what there is', async (t) => {
  const connection = await connect({ rows: ROWS });
  const filters = [
    { $where: '1' },
    { $nor: [{}] },
    { n: { $regex: 'x' } },
    { n: { $gt: null } },
    { n: { $in: 3 } },
    { n: { $in: [{}] } },
    { n: { a: 1 } },
    { n: [1] },
    { n: {} },
    { n: { $exists: 1 } },
    { $or: [] },
    { $and: {} },
    { $or: [1] },
    JSON.parse('{"n": {"__proto__": 1}}'),
  ];
  const operators = { fault: 'CONFIG', message: /a dummy connector supports \$and, \$or, .* and \$exists$/ };
  for (const filter of filters)
    await t.rejects(async () => rowsOf(connection, 'find', { filter }), operators, JSON.stringify(filter));
  const pipelines = [
    { $lookup: { from: 'rows', as: 'x', pipeline: [] } },
    { $out: 'x' },
    { $match: 1 },
    { $limit: 0 },
    { $skip: -1 },
    { $sort: {} },
    { $sort: { n: 2 } },
    { $count: '$n' },
    { $project: {} },
    { $project: { _id: 0 } },
    { $project: { n: 0 } },
    { $project: { m: '$n' } },
    { $match: {}, $limit: 1 },
    {},
  ];
  const stages = { fault: 'CONFIG', message: /a dummy connector supports the stages \$match, .*\$project/ };
  for (const stage of pipelines)
    await t.rejects(
      async () => rowsOf(connection, 'aggregate', { pipeline: [stage] }),
      stages,
      JSON.stringify(stage),
    );
  await t.rejects(async () => rowsOf(connection, 'find', { filter: {}, skip: 1 }), {
    name: 'ConnectorError',
    fault: 'CONFIG',
  });
});

t.test('a scope holds in every method that reads rows', async (t) => {
  const connection = await connect({ rows: ROWS });
  const scope = { tenant: 'a' };
  const calls = [
    ['list', {}],
    ['list', { where: { tenant: { ne: 'x' } } }],
    ['find', { filter: { $or: [{ tenant: 'b' }, { n: { $ne: 99 } }] }, sort: { _id: 1 } }],
    ['aggregate', { pipeline: [{ $match: { $or: [{}, { tenant: 'b' }] } }] }],
  ] as const;
  for (const [method, args] of calls) {
    const rows = await rowsOf(connection, method, scopeArgs(dummyDriver, method, args, scope));
    t.strictSame(
      rows.map((row) => row['_id']),
      [1, 3],
      method,
    );
  }
  const view = dummyDriver.methods[0]?.pageOf?.(scopeArgs(dummyDriver, 'list', {}, scope));
  if (view == null) return t.fail('a list has pages');
  const page = await connection.page({ ...view, where: [{ tenant: 'b' }], limit: 9, signal });
  t.strictSame(page.rows, []);
  const reach = { pipeline: [{ $unionWith: 'rows' }] };
  return t.rejects(
    async () => rowsOf(connection, 'aggregate', scopeArgs(dummyDriver, 'aggregate', reach, scope)),
    ConnectorError,
  );
});
