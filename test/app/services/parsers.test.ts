import t from 'tap';
import { createParsers } from '../../../src/app/services/parsers.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { startRealPool } from '../../workers/fixtures/real-pool.ts';

const taskOf = (name: string) =>
  `version: 1\nname: ${name}\nsteps: [{ id: say, kind: log, message: hello }]\n`;
const templateOf = (name: string) => `version: 1\nname: ${name}\ntasks: { say: { task: hello } }\n`;

t.test('a valid text is parsed once in the worker host, a refused one each time', async (t) => {
  const pool = startRealPool();
  t.teardown(() => pool.stop());
  const calls: string[] = [];
  const run: WorkerPool['run'] = (call, options) => {
    calls.push(call.kind);
    return pool.run(call, options);
  };
  // None of these texts runs another task, so that nothing is read from the store.
  const store = { read: null as never };
  const { parseTask, parseTemplate } = createParsers({ pool: { run }, store });

  const first = await parseTask(taskOf('a'));
  t.match(first, { ok: true, info: { name: 'a' } });
  t.same(await parseTask(taskOf('a')), first);
  t.match(await parseTask(taskOf('b')), { ok: true, info: { name: 'b' } }, 'another text has its own answer');
  t.same(calls, ['parse_task', 'parse_task']);

  t.match(await parseTemplate(templateOf('a')), { ok: true, info: { name: 'a', levels: [['say']] } });
  t.match(await parseTemplate(templateOf('a')), { ok: true, info: { name: 'a', levels: [['say']] } });
  t.match(await parseTask(templateOf('a')), { ok: false }, 'what is a template is no task');
  t.match(await parseTask(templateOf('a')), { ok: false });
  t.same(calls.slice(2), ['parse_template', 'parse_task', 'parse_task']);
});
