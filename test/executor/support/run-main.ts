/** The process entry as `serve` starts it: its settings come as the first message. */
import { once } from 'node:events';
import { type RunExecutorOptions, runExecutor } from '../../../src/executor/executor-main.ts';

const [options] = (await once(process, 'message')) as [RunExecutorOptions];
process.exitCode = await runExecutor(options);
if (process.connected) process.disconnect();
