import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { inFairShares } from '../../../../src/modules/dashboard-widgets/batch/widget-batch.ts';

const groupOf = (item: string) => item.charAt(0);

t.test('a group that takes long leaves places to the others, and all of them are used', async (t) => {
  const begun: string[] = [];
  const held = Promise.withResolvers<void>();
  let atWork = 0;
  let most = 0;
  const done = inFairShares(
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3', 'c1'],
    4,
    groupOf,
    async (item) => {
      begun.push(item);
      atWork += 1;
      most = Math.max(most, atWork);
      if (item.startsWith('a')) await held.promise;
      else await turn();
      atWork -= 1;
    },
  );
  while (!begun.includes('a4')) await turn();
  t.same(begun.slice(0, 4), ['a1', 'b1', 'c1', 'a2']);
  t.same(
    begun.slice(4).filter((item) => !item.startsWith('a')),
    ['b2', 'b3'],
    'before more of those that hang',
  );
  t.equal(atWork, 4, 'no place is kept free');
  held.resolve();
  await done;
  t.equal(begun.length, 10);
  t.equal(most, 4);
  t.same(
    begun.filter((item) => item.startsWith('a')),
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'],
  );
});

t.test('the first failure rejects, and nothing more is begun', async (t) => {
  const begun: string[] = [];
  const work = async (item: string) => {
    begun.push(item);
    await turn();
    if (item === 'a1') throw new Error('no');
  };
  await t.rejects(inFairShares(['a1', 'b1', 'a2', 'b2'], 2, groupOf, work), { message: 'no' });
  await turn();
  t.same(begun, ['a1', 'b1']);
  await inFairShares([], 2, groupOf, work);
});
