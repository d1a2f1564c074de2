import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';

const ENTRY = join(import.meta.dirname, '../../../src/commands/serve/executor-child.ts');

t.test('an executor whose server ends before it had work to give ends too, and says nothing', async (t) => {
  const child = fork(ENTRY, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  const said = child.stderr === null ? null : text(child.stderr);
  await once(child, 'spawn');
  child.disconnect();
  const [code] = await once(child, 'exit');
  t.equal(code, 0);
  t.equal(await said, '');
});
