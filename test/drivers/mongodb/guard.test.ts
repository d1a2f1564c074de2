import fc from 'fast-check';
import t from 'tap';
import { readFilter, readPipeline, readUpdate } from '../../../src/drivers/mongodb/query/guard.ts';
import { fault } from '../sql/engines.ts';

const refused = (work: () => unknown, message: RegExp) => t.throws(work, fault('CONFIG', message));

t.test('stages that write, run code or are unknown are refused at every depth', async (t) => {
  const bad = [
    { $out: 'x' },
    { $merge: { into: 'x' } },
    { $currentOp: {} },
    { $listSessions: {} },
    { $documents: [] },
    { $changeStream: {} },
    { $mapReduce: {} },
    { $match: { $where: 'true' } },
    { $match: { $expr: { $function: { body: 'x', args: [], lang: 'js' } } } },
    { $group: { _id: null, n: { $accumulator: {} } } },
    { $project: { a: { $cond: [true, { $map: { input: '$a', in: { $function: {} } } }, 1] } } },
    { $lookup: { from: { db: 'other', coll: 'x' }, as: 'a', pipeline: [] } },
    { $lookup: { from: 'system.users', as: 'a', pipeline: [] } },
    { $unionWith: 'system.users' },
    { $unionWith: { coll: 'a$b' } },
    { $match: {}, $out: 'x' },
    {},
    'x',
  ];
  const wraps: readonly ((stage: unknown) => unknown)[] = [
    (stage) => ({ $lookup: { from: 'other', as: 'found', let: { a: '$a' }, pipeline: [stage] } }),
    (stage) => ({ $unionWith: { coll: 'other', pipeline: [{ $match: {} }, stage] } }),
    (stage) => ({ $facet: { first: [{ $limit: 1 }], second: [stage] } }),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...bad),
      fc.array(fc.constantFrom(...wraps), { maxLength: 5 }),
      (stage, around) => {
        const nested = around.reduce<unknown>((inner, wrap) => wrap(inner), stage);
        t.throws(() => readPipeline([{ $match: { a: 1 } }, nested]), fault('CONFIG'));
      },
    ),
  );
  refused(() => readPipeline([{ $out: 'x' }]), /^"\$out" in "pipeline.0" is refused: it writes/);
  refused(() => readFilter({ $or: [{ a: 1 }, { $and: [{ $where: '1' }] }] }), /^"\$where" .* runs code/);
  refused(() => readFilter({ a: { $elemMatch: { $where: '1' } } }), /\$where/);
  refused(() => readFilter({ a: { b: { $nonsense: 1 } } }), /not among/);
});

t.test('what computes from documents alone passes as it is', async (t) => {
  const pipeline = [
    { $match: { $expr: { $gt: ['$a', { $add: ['$b', 1] }] }, at: { $exists: true } } },
    { $lookup: { from: 'other', localField: 'a', foreignField: 'b', as: 'c', pipeline: [{ $limit: 1 }] } },
    { $unionWith: 'more' },
    {
      $graphLookup: { from: 'other', startWith: '$a', connectFromField: 'a', connectToField: 'b', as: 'all' },
    },
    { $facet: { n: [{ $count: 'n' }], top: [{ $sort: { a: -1 } }, { $limit: 3 }] } },
    { $setWindowFields: { sortBy: { a: 1 }, output: { r: { $rank: {} } } } },
    { $replaceRoot: { newRoot: { $mergeObjects: ['$$ROOT', { $arrayToObject: '$kv' }] } } },
  ];
  t.strictSame(readPipeline(pipeline), pipeline);
});

t.test('changes are operators, or stages that set fields', async () => {
  readUpdate({ $set: { a: 1 }, $push: { list: { $each: [1], $slice: -5 } } });
  readUpdate([{ $set: { a: { $add: ['$a', 1] } } }, { $unset: 'b' }]);
  refused(() => readUpdate({ a: 1 }), /write \{"\$set"/);
  refused(() => readUpdate({}), /map of operators/);
  refused(() => readUpdate({ $where: 1 }), /\$where/);
  refused(() => readUpdate([{ $lookup: { from: 'x', as: 'y' } }]), /\$lookup/);
  refused(() => readUpdate([{ $set: { a: { $function: {} } } }]), /\$function/);
  let deep: object = { a: 1 };
  for (let i = 0; i < 200; i++) deep = { $and: [deep] };
  refused(() => readFilter(deep), /nested more than 100/);
});
