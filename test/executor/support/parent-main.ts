/** A parent that starts an embedded executor and tells its process id; the test kills it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const [options] = await once(process, 'message');
const child = fork(fileURLToPath(new URL('./run-main.ts', import.meta.url)), {
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
});
child.send(options);
process.send?.(child.pid);
