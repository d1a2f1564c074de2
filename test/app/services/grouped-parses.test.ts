import t from 'tap';
import { groupedByCaller } from '../../../src/app/services/grouped-parses.ts';
import { caller } from '../../../src/base/concurrency/caller.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { Call } from '../../../src/threads/messages/calls.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { startRealPool } from '../../workers/fixtures/real-pool.ts';

const taskOf = (name: string) =>
  `version: 1\nname: ${name}\nsteps: [{ id: say, kind: log, message: hello }]\n`;
const named = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

/** The texts of each call, over a real pool that breaks where a text says so. */
function watched(pool: WorkerPool) {
  const calls: (readonly string[])[] = [];
  const run: WorkerPool['run'] = (call, options) => {
    const { kind, input } = call as Extract<Call, { kind: 'parse_task' | 'parse_tasks' }>;
    const texts = kind === 'parse_task' ? [input.yaml] : input.yamls;
    calls.push(texts);
    if (texts.some((text) => text.includes('bomb')))
      return Promise.reject(new AppError('UNPROCESSABLE', 'beyond the limits'));
    return pool.run(call, options);
  };
  return { calls, parse: groupedByCaller({ run }) };
}

t.test('texts that come together', async (t) => {
  const pool = startRealPool();
  t.teardown(() => pool.stop());

  await t.test('go to the worker host in few calls, and each has its own answer', async (t) => {
    const { calls, parse } = watched(pool);
    const names = named(30, 'task_');
    const answers = await Promise.all(names.map((name) => parse(taskOf(name))));
    t.same(
      answers.map((answer) => answer.ok && answer.info.name),
      names,
    );
    t.same(calls.flat(), names.map(taskOf), 'each once, in their order');
    t.ok(calls.length <= 4, `${calls.length} calls`);
    t.match(await parse('steps: 1'), { ok: false }, 'a wrong one is an answer too');
  });

  await t.test('a text beyond the limits fails alone, however many of them there are', async (t) => {
    const { parse } = watched(pool);
    const names = ['bomb_1', 'bomb_2', 'bomb_3', 'bomb_4', 'a', 'bomb_5', 'b'];
    const settled = await Promise.allSettled(names.map((name) => parse(taskOf(name))));
    t.same(
      settled.map((one) =>
        one.status === 'fulfilled' ? one.value.ok && one.value.info.name : one.reason.code,
      ),
      ['UNPROCESSABLE', 'UNPROCESSABLE', 'UNPROCESSABLE', 'UNPROCESSABLE', 'a', 'UNPROCESSABLE', 'b'],
    );
  });

  await t.test('those of two callers never share a call', async (t) => {
    const { calls, parse } = watched(pool);
    const asBy = (by: string) =>
      caller.run(by, () => Promise.all(named(10, `${by}_`).map((name) => parse(taskOf(name)))));
    await Promise.all([asBy('ada'), asBy('bob')]);
    const owners = calls.map((texts) => new Set(texts.map((text) => /name: (\w+)_/.exec(text)?.[1])).size);
    t.ok(owners.every((count) => count === 1));
  });

  await t.test('a long text has a call of its own, and so has what comes when many wait', async (t) => {
    const { calls, parse } = watched(pool);
    const long = `${taskOf('long')}# ${'x'.repeat(40_000)}`;
    await Promise.all([parse(taskOf('short')), parse(long), parse(taskOf('other'))]);
    t.same(
      calls.filter((texts) => texts.includes(long)).map((texts) => texts.length),
      [1],
    );
    calls.splice(0);
    const names = named(40, 'many_');
    await Promise.all(names.map((name) => parse(taskOf(name))));
    const numbers = calls.map((texts) => texts.map((text) => Number(/many_(\d+)/.exec(text)?.[1])));
    t.same(
      numbers.filter(([first]) => (first ?? 0) >= 32),
      [[32], [33], [34], [35], [36], [37], [38], [39]],
    );
    t.equal(calls.flat().length, 40);
  });
});
