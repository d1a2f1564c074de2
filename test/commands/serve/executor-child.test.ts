import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import type { EmbeddedExecutorStart } from '../../../src/commands/serve/executor-child.ts';
import { eventually } from '../../executor/support/executor-bench.ts';

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

const START: Omit<EmbeddedExecutorStart, 'spoolDir'> = {
  server: '127.0.0.1:9',
  key: 'x'.repeat(32),
  name: 'embedded',
  instanceId: 'one',
  slots: 1,
  logLevel: 'silent',
  logFormat: 'json',
  access: { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 },
  outbound: { policy: 'block-metadata', allow: [] },
  serverPorts: [],
};

t.test('logs are spooled where the server says, whatever its temporary folder', async (t) => {
  const spoolDir = join(t.testdir(), 'spool');
  const child = fork(ENTRY, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  child.send({ ...START, spoolDir } satisfies EmbeddedExecutorStart);
  await eventually('its own folder', () => {
    try {
      return readdirSync(spoolDir).some((name) => name.startsWith(`executor-${child.pid}-`));
    } catch {
      return false;
    }
  });
});

t.test('an executor that can spool nowhere says which folder and setting', async (t) => {
  const file = join(t.testdir(), 'file');
  writeFileSync(file, '');
  const child = fork(ENTRY, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  const said = child.stderr === null ? null : text(child.stderr);
  child.send({ ...START, spoolDir: join(file, 'spool') } satisfies EmbeddedExecutorStart);
  const [code] = await once(child, 'exit');
  t.equal(code, 1);
  t.match(await said, /The folder ".*spool" for logs cannot be created or written: set TMPDIR/);
});
