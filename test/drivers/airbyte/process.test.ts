import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { connectAirbyte } from '../../../src/drivers/plugins/airbyte/connect.ts';
import { gone, isAlive } from '../../support/watched-processes.ts';
import { connectScripted, contextWith, rowsOf, scriptedPlugin, signal } from './scripted.ts';

t.test('a process has a folder of its own, and nothing of the server’s environment', async (t) => {
  const [row] = await rowsOf(await connectScripted(), { args: { stream: 'app.events' } });
  const known = ['HOME', 'LANG', 'OLDPWD', 'PATH', 'PWD', 'TMPDIR', '_'];
  t.strictSame(
    ((row?.['env'] ?? []) as string[]).filter((name) => !known.includes(name)),
    [],
  );
  t.equal(row?.['cwd'], row?.['folder']);
  t.strictSame(row?.['modes'], ['600', '700']);
  t.notOk(existsSync(String(row?.['folder'])));
  const folder = t.testdir();
  const connection = await connectAirbyte({ plugin: 'scripted' }, contextWith({ ...scriptedPlugin, folder }));
  const [placed] = await rowsOf(connection, { args: { stream: 'app.events' } });
  t.equal(placed?.['cwd'], folder);
  t.not(placed?.['folder'], folder);
});

t.test('a cancelled read ends the whole process group', async (t) => {
  const controller = new AbortController();
  const connection = await connectScripted('hang');
  const read = { method: 'read', args: { stream: 'people' }, signal: controller.signal, batchRows: 1 };
  const iterator = connection.read(read)[Symbol.asyncIterator]();
  const { id, big } = (await iterator.next()).value.rows[0];
  t.ok([id, big].every(isAlive));
  controller.abort(new Error('cancelled'));
  await t.rejects(iterator.next(), { message: 'cancelled' });
  await gone(id, big);
});

t.test('a reader that leaves ends the process, too', async () => {
  const connection = await connectScripted('hang');
  const pids: number[] = [];
  for await (const { rows } of connection.read({
    method: 'read',
    args: { stream: 'people' },
    signal,
    batchRows: 1,
  })) {
    pids.push(Number(rows[0]?.['id']), Number(rows[0]?.['big']));
    break;
  }
  await gone(...pids);
});

t.test('silence ends it', async (t) => {
  const read = rowsOf(await connectScripted('hang', 0, { silence_timeout_seconds: 5 }));
  await t.rejects(read, { fault: 'UNAVAILABLE', message: /"scripted" has written nothing for 5 s/ });
});

t.test('a program that is not there is told', async (t) => {
  const absent = contextWith({ ...scriptedPlugin, command: ['/nowhere/source'] });
  const connection = await connectAirbyte({ plugin: 'scripted' }, absent);
  await t.rejects(connection.listResources(signal), {
    fault: 'CONFIG',
    message:
      /cannot be started: there is no such program, or it may not be executed; correct its command in SVC_PLUGINS/,
  });
});

t.test('it dies with a reader that is killed, and its configuration is removed', async (t) => {
  const reader = spawn(process.execPath, ['--no-warnings', resolve('test/drivers/airbyte/reader-main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => reader.kill('SIGKILL'));
  const lines = createInterface({ input: reader.stdout })[Symbol.asyncIterator]();
  const { pids, folder } = JSON.parse(String((await lines.next()).value));
  t.ok(existsSync(folder));
  reader.kill('SIGKILL');
  await gone(...pids);
  while (existsSync(folder)) await wait(20);
});
