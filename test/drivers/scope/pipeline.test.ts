import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { dummyDriver } from '../../../src/drivers/dummy/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { piped, type World } from './mongo-world.ts';

const SCOPE = { tenant: 'a' };

function documents(kind: string): { _id: string; tenant: string; n: number; next: number; mark: string }[] {
  return Array.from({ length: 8 }, (_, i) => {
    const tenant = i % 2 === 0 ? 'a' : 'b';
    const mark = tenant === 'a' ? `kept ${i}` : `LEAK ${kind} ${i}`;
    return { _id: `${kind}${i}`, tenant, n: i % 4, next: (i + 1) % 4, mark };
  });
}

const ALL: World = { main: documents('m'), other: documents('o') };
/** The same collections if nothing outside the scope were there. */
const INSIDE: World = Object.fromEntries(
  Object.entries(ALL).map(([name, found]) => [
    name,
    found.filter((document) => (document as typeof SCOPE).tenant === 'a'),
  ]),
);

function scopedPipeline(pipeline: unknown, fields: object = SCOPE): object[] {
  const args = scopeArgs(dummyDriver, 'aggregate', { pipeline }, { ...fields });
  return (args as { pipeline: object[] }).pipeline;
}

const collection = fc.constantFrom('main', 'other');
const localStages = fc.oneof(
  fc.constantFrom<object>(
    { $match: {} },
    { $match: { $or: [{}, { tenant: 'b' }] } },
    { $match: { tenant: { $ne: 'a' } } },
    { $set: { tenant: 'a' } },
    { $addFields: { tenant: 'b' } },
    { $unset: 'tenant' },
    { $project: { mark: 1, n: 1 } },
    { $sort: { n: -1, _id: 1 } },
    { $group: { _id: '$tenant', all: { $push: '$$ROOT' } } },
    { $group: { _id: '$n', marks: { $push: '$mark' } } },
    { $replaceRoot: { newRoot: { whole: '$$ROOT', n: '$n' } } },
    { $unwind: '$found' },
    { $sortByCount: '$mark' },
    { $count: 'mark' },
  ),
  fc.integer({ min: 1, max: 5 }).map(($limit) => ({ $limit })),
  fc.nat(3).map(($skip) => ({ $skip })),
);

/** `isJoining`: with lookups by a local field as well. */
function pipelines(isJoining: boolean): fc.Arbitrary<object[]> {
  const { pipeline } = fc.letrec<{ pipeline: object[]; stage: object }>((tie) => {
    const inner = tie('pipeline');
    const union = fc.oneof(
      collection,
      fc.record({ coll: collection }),
      fc.record({ coll: collection, pipeline: inner }),
    );
    const lookup = fc.record(
      { from: collection, as: fc.constant('found'), pipeline: inner },
      { requiredKeys: ['from', 'as', 'pipeline'] },
    );
    const join = fc.record(
      {
        from: collection,
        as: fc.constantFrom('found', 'tenant'),
        localField: fc.constantFrom('n', 'tenant', 'mark'),
        foreignField: fc.constantFrom('n', 'next', 'tenant'),
        pipeline: inner,
      },
      { requiredKeys: ['from', 'as', 'localField', 'foreignField'] },
    );
    const graph = fc.record(
      {
        from: collection,
        startWith: fc.constantFrom('$n', '$next'),
        connectFromField: fc.constant('next'),
        connectToField: fc.constant('n'),
        as: fc.constant('found'),
        restrictSearchWithMatch: fc.constantFrom({}, { tenant: 'b' }, { $or: [{ n: 1 }, { tenant: 'b' }] }),
      },
      { requiredKeys: ['from', 'startWith', 'connectFromField', 'connectToField', 'as'] },
    );
    return {
      stage: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'stage' },
        { weight: 4, arbitrary: localStages },
        { weight: 2, arbitrary: (isJoining ? join : lookup).map(($lookup) => ({ $lookup })) },
        { weight: 2, arbitrary: union.map(($unionWith) => ({ $unionWith })) },
        { weight: 1, arbitrary: graph.map(($graphLookup) => ({ $graphLookup })) },
        { weight: 1, arbitrary: fc.record({ a: inner, b: inner }).map(($facet) => ({ $facet })) },
      ),
      pipeline: fc.array(tie('stage'), { maxLength: 3, depthIdentifier: 'stage' }),
    };
  });
  return pipeline;
}

t.test('a pipeline gives what it would give if nothing outside the scope were there', async (t) => {
  let reading = 0;
  const property = fc.property(pipelines(false), (own) => {
    if (/lookup|unionWith/i.test(JSON.stringify(own))) reading += 1;
    return isDeepStrictEqual(piped(ALL, scopedPipeline(own)), piped(INSIDE, own));
  });
  fc.assert(property, { numRuns: 500 });
  t.ok(reading > 100, `${reading} pipelines read besides`);
});

// By a local field the reference evaluator finds whether there is a match before it runs the pipeline of a lookup, other than
// MongoDB; so only the documents themselves are looked for.
t.test('no document from outside the scope comes out of joins, at any depth', async (t) => {
  let leaking = 0;
  const property = fc.property(pipelines(true), (own) => {
    if (JSON.stringify(piped(ALL, own)).includes('LEAK')) leaking += 1;
    return !JSON.stringify(piped(ALL, scopedPipeline(own))).includes('LEAK');
  });
  fc.assert(property, { numRuns: 500 });
  t.ok(leaking > 100, `${leaking} pipelines would have shown some`);
});

t.test('the scope is first in each pipeline that reads, and the rest stays as it is', async (t) => {
  const first = { $match: SCOPE };
  t.strictSame(scopedPipeline(undefined), [first]);
  t.strictSame(
    scopedPipeline([
      { $unionWith: 'other' },
      { $lookup: { from: 'other', localField: 'n', foreignField: 'n', as: 'found' } },
      { $graphLookup: { from: 'other', as: 'x', restrictSearchWithMatch: { n: 1 } } },
      { $facet: { a: [{ $unionWith: { coll: 'other', pipeline: [{ $limit: 1 }] } }] } },
    ]),
    [
      first,
      { $unionWith: { coll: 'other', pipeline: [first] } },
      { $lookup: { from: 'other', localField: 'n', foreignField: 'n', as: 'found', pipeline: [first] } },
      { $graphLookup: { from: 'other', as: 'x', restrictSearchWithMatch: { $and: [SCOPE, { n: 1 }] } } },
      { $facet: { a: [{ $unionWith: { coll: 'other', pipeline: [first, { $limit: 1 }] } }] } },
    ],
  );
  t.strictSame(scopedPipeline([{ $geoNear: { near: [0, 0], query: { n: 1 } } }, { $limit: 1 }]), [
    { $geoNear: { near: [0, 0], query: { $and: [SCOPE, { n: 1 }] } } },
    { $limit: 1 },
  ]);
});

t.test('what a scope does not reach into is refused, wherever it stands', async (t) => {
  const refused = [
    ...[
      '$out',
      '$merge',
      '$search',
      '$searchMeta',
      '$vectorSearch',
      '$rankFusion',
      '$collStats',
      '$indexStats',
    ],
    ...[
      '$documents',
      '$changeStream',
      '$listSessions',
      '$currentOp',
      '$unheardOf',
      '__proto__',
      'constructor',
    ],
  ];
  const around = [
    (stage: object) => [stage],
    (stage: object) => [{ $limit: 1 }, stage],
    (stage: object) => [{ $lookup: { from: 'x', as: 'y', pipeline: [stage] } }],
    (stage: object) => [{ $facet: { a: [{ $unionWith: { coll: 'x', pipeline: [stage] } }] } }],
  ];
  for (const name of refused) {
    for (const put of around) {
      t.throws(() => scopedPipeline(put(Object.fromEntries([[name, {}]]))), {
        fault: 'CONFIG',
        message: `A scope cannot be applied to "aggregate": it does not reach into a stage "${name}"`,
      });
    }
  }
  const unfit = [
    [{ $limit: 1 }, { $geoNear: {} }],
    [{ $facet: { a: [{ $geoNear: {} }] } }],
    [{ $geoNear: 1 }],
    [{ $geoNear: { query: 'x' } }],
    [{ $lookup: 'x' }],
    [{ $lookup: { pipeline: {} } }],
    [{ $graphLookup: { restrictSearchWithMatch: [] } }],
    [{ $facet: [] }],
    [{ $match: {}, $unionWith: 'other' }],
    [{}],
    [null],
    [[{ $unionWith: 'other' }]],
    {},
    '[]',
  ];
  for (const pipeline of unfit)
    t.throws(() => scopedPipeline(pipeline), { name: 'ConnectorError', fault: 'CONFIG' });
  let deep: object[] = [];
  for (let i = 0; i < 10_000; i += 1) deep = [{ $unionWith: { coll: 'x', pipeline: deep } }];
  t.throws(() => scopedPipeline(deep), { fault: 'CONFIG', message: /more than 20 deep/ });
});
