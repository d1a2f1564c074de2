import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAIN } from './program.ts';
import { programEnvironment } from './program-environment.ts';
import type { TestPlace } from './served.ts';

/** A `headgate executor` process; resolves with what it said when it was ready, or with its exit code. */
export async function startExecutor(
  t: TestPlace,
  server: string,
  key: string,
  folder: string,
  more: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<{ said: string; child: ChildProcess }> {
  const args = [
    MAIN,
    'executor',
    '--server',
    server,
    '--key',
    key,
    '--name',
    'remote',
    '--file-root',
    folder,
    ...more,
  ];
  const child = spawn(process.execPath, args, {
    cwd: t.testdirName,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...programEnvironment(), SVC_LOG_LEVEL: 'silent', ...settings },
  });
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const [said] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ];
  return { said, child };
}
