import t from 'tap';
import { RunGroup } from '../../../src/base/concurrency/batcher.ts';

t.test(
  'what comes in one turn is handled together, in its order; what comes meanwhile is the next group',
  async (t) => {
    const groups: number[][] = [];
    const group = new RunGroup<number, number>({
      async handle(inputs) {
        groups.push([...inputs]);
        if (groups.length === 1) void late.push(group.ask(10), group.ask(11));
        return inputs.map((input) => input * 2);
      },
      weightOf: (input) => input,
      weightMax: 6,
    });
    const late: Promise<number>[] = [];
    t.same(await Promise.all([1, 2, 3, 4, 50].map((input) => group.ask(input))), [2, 4, 6, 8, 100]);
    t.same(await Promise.all(late), [20, 22]);
    t.same(groups, [[1, 2, 3], [4], [50], [10], [11]], 'as many as the weight allows, one at least');
  },
);

t.test('one that fails fails alone', async (t) => {
  const group = new RunGroup<string, string>({
    async handle(inputs) {
      if (inputs.includes('bad')) throw new Error('bad');
      return inputs;
    },
    weightOf: () => 1,
    weightMax: 100,
  });
  const settled = await Promise.allSettled(['a', 'bad', 'b'].map((input) => group.ask(input)));
  t.same(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.equal(await group.ask('c'), 'c', 'and it goes on');
});

t.test('where everything fails it does not try them all', async (t) => {
  let tries = 0;
  const group = new RunGroup<number, number>({
    async handle() {
      tries += 1;
      throw new Error('the store is away');
    },
    weightOf: () => 1,
    weightMax: 100,
  });
  const settled = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => group.ask(index)));
  t.ok(settled.every(({ status }) => status === 'rejected'));
  t.equal(tries, 4);
});

t.test('one group at a time, however often it is asked meanwhile', async (t) => {
  let atWork = 0;
  let most = 0;
  const group = new RunGroup<number, number>({
    async handle(inputs) {
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setTimeout(resolve, 5));
      atWork -= 1;
      return inputs;
    },
    weightOf: () => 1,
    weightMax: 1,
  });
  await Promise.all([1, 2, 3, 4].map((input) => group.ask(input)));
  t.equal(most, 1);
});

t.test('bad inputs between good ones are no outage', async (t) => {
  const group = new RunGroup<number, number>({
    async handle(inputs) {
      if (inputs.some((input) => input % 2 === 0)) throw new Error('even');
      return inputs;
    },
    weightOf: () => 1,
    weightMax: 100,
  });
  const settled = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7].map((input) => group.ask(input)));
  t.same(
    settled.map(({ status }) => status === 'fulfilled'),
    [false, true, false, true, false, true, false, true],
  );
});

t.test('as many groups side by side as it is told', async (t) => {
  let atWork = 0;
  let most = 0;
  const groups: number[][] = [];
  const group = new RunGroup<number, number>({
    async handle(inputs) {
      groups.push([...inputs]);
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setTimeout(resolve, 5));
      atWork -= 1;
      return inputs;
    },
    weightOf: () => 1,
    weightMax: 2,
    groupsMax: 3,
  });
  const asked = Promise.all(Array.from({ length: 9 }, (_, index) => group.ask(index)));
  t.equal(group.waiting, 9);
  t.same(await asked, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  t.equal(most, 3);
  t.same(groups, [[0, 1], [2, 3], [4, 5], [6, 7], [8]]);
  t.equal(await group.ask(9), 9, 'and again when all are done');
});
