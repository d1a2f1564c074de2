import t from 'tap';
import { createWidgetBatcher } from '../../src/ui/api/widget-batcher.ts';

t.test('what is asked for together is one request, and each gets its own answer', async (t) => {
  const asked: (readonly string[])[] = [];
  const load = createWidgetBatcher(async (ids) => {
    asked.push(ids);
    return { a: { data: 1 }, b: { error: 'no' } };
  });
  const answers = await Promise.all([load('a'), load('b'), load('a'), load('c')]);
  t.match(answers, [{ data: 1, answeredAt: Number }, { error: 'no' }, { data: 1 }, { error: '' }]);
  t.equal(new Set(answers.map(({ answeredAt }) => answeredAt)).size, 1, 'answered at one time');
  t.same(asked, [['a', 'b', 'c']]);
});

t.test('a failed request fails those in it and none after it', async (t) => {
  let calls = 0;
  const load = createWidgetBatcher(async () => {
    calls += 1;
    if (calls === 1) throw new Error('down');
    return { a: { data: 1 } };
  });
  await t.rejects(Promise.all([load('a'), load('b')]), { message: 'down' });
  t.match(await load('a'), { data: 1 });
});

t.test('a batch never holds more than a hundred widgets', async (t) => {
  const sizes: number[] = [];
  const load = createWidgetBatcher(async (ids) => {
    sizes.push(ids.length);
    return {};
  });
  await Promise.all(Array.from({ length: 230 }, (_, at) => load(String(at))));
  t.same(sizes, [100, 100, 30]);
});

t.test('slow widgets are asked for again, and hold up no other', async (t) => {
  const asked: (readonly string[])[] = [];
  const told: string[] = [];
  const load = createWidgetBatcher(async (ids, waitMs) => {
    t.equal(waitMs, 500);
    asked.push(ids);
    const [first = '', ...others] = ids.toSorted();
    return { [first]: { data: first }, ...Object.fromEntries(others.map((id) => [id, { pending: true }])) };
  });
  const note = async (id: string) => told.push(`${id} ${(await load(id)).data}`);
  await Promise.all(['c', 'a', 'b'].map(note));
  t.same(told, ['a a', 'b b', 'c c']);
  t.same(asked, [['c', 'a', 'b'], ['c', 'b'], ['c']]);
});

t.test('a server that has nothing, again and again, is not asked for ever', async (t) => {
  let calls = 0;
  const load = createWidgetBatcher(async () => {
    calls += 1;
    if (calls > 10) throw new Error('asked for ever');
    return { a: { pending: true }, b: { pending: true } };
  });
  t.match(await Promise.all([load('a'), load('b')]), [{ error: '' }, { error: '' }]);
  t.equal(calls, 1);
});

t.test('widgets that are still awaited fail with the request that asks for them again', async (t) => {
  const load = createWidgetBatcher(async (ids) => {
    if (ids.length === 1) throw new Error('down');
    return { fast: { data: 1 }, slow: { pending: true } };
  });
  const slow = load('slow');
  t.match(await load('fast'), { data: 1 });
  await t.rejects(slow, { message: 'down' });
});
