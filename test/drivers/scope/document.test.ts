import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { dummyDriver } from '../../../src/drivers/dummy/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { found } from './mongo-world.ts';

const MAIN = Array.from({ length: 20 }, (_, i) => ({
  _id: i,
  tenant: ['a', 'b', ['a', 'b'], null][i % 4],
  n: i % 7,
  at: { city: i % 2 === 0 ? 'x' : 'y' },
}));

const scalars = fc.constantFrom<unknown>('a', 'b', 'x', null, 0, 3, 5, true);
const scopes = fc.oneof(
  fc.record({ tenant: fc.constantFrom('a', 'b', null) }),
  fc.record({ tenant: fc.record({ $in: fc.constant(['a']) }), n: fc.record({ $gte: fc.nat(6) }) }),
  fc.record({ $or: fc.constant([{ tenant: 'a' }, { n: 3 }]) }),
  fc.record({ 'at.city': fc.constantFrom('x', 'y') }),
);

const names = fc.constantFrom('tenant', 'n', '_id', 'at.city', 'nosuch', '__proto__', 'constructor');
const tests = fc.oneof(
  scalars,
  fc.tuple(fc.constantFrom('$eq', '$ne', '$gt', '$lte', '$not'), scalars).map(([name, operand]) => ({
    [name]: name === '$not' ? { $eq: operand } : operand,
  })),
  fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(scalars, { maxLength: 3 })).map(([name, list]) => ({
    [name]: list,
  })),
  fc.boolean().map((exists) => ({ $exists: exists })),
);
const { filter } = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    fc.array(fc.tuple(names, tests), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    fc
      .tuple(fc.constantFrom('$or', '$and', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 2 }))
      .map(([name, parts]) => ({ [name]: parts })),
    fc.constantFrom({ $expr: { $eq: [1, 1] } }, { $or: [{}, { tenant: 'b' }] }, { tenant: { $ne: 'a' } }),
  ),
}));

t.test('a filter finds what it would find among the documents inside the scope alone', async (t) => {
  const property = fc.property(scopes, filter, (scope, own) => {
    const args = scopeArgs(dummyDriver, 'find', { filter: own }, scope) as { filter: object };
    const inside = found({ main: MAIN }, scope) as object[];
    return isDeepStrictEqual(found({ main: MAIN }, args.filter), found({ main: inside }, own));
  });
  fc.assert(property, { numRuns: 500 });
  t.strictSame(scopeArgs(dummyDriver, 'find', { filter: { n: 1 }, limit: 5 }, { tenant: 'a' }), {
    filter: { $and: [{ tenant: 'a' }, { n: 1 }] },
    limit: 5,
  });
});

t.test('a call without a filter gets the scope, and one whose filter is none is refused', async (t) => {
  const scope = { tenant: 'a' };
  for (const args of [undefined, null, {}, { filter: null }, { filter: undefined }])
    t.strictSame(scopeArgs(dummyDriver, 'find', args, scope), { filter: scope });
  for (const args of [{ filter: [] }, { filter: '{}' }, { filter: 1 }, [], 'filter'])
    t.throws(() => scopeArgs(dummyDriver, 'find', args, scope), {
      fault: 'CONFIG',
      message: /^A scope cannot be applied to "find": .+ not an object/,
    });
});
