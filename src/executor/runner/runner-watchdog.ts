/**
 * A thread beside a runner's own: it ends the process when the executor is gone, the lease has run out or its memory is over the
 * limit, also while an expression or a native call keeps the runner's own thread from hearing of it. The executor tells the end of
 * the lease over a pipe of its own, and the end of that pipe is the end of the executor.
 */
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { saveCompiledCode } from '../../base/process/compile-cache.ts';
import { LIFELINE_FD, monotonicMs, type WatchdogData } from './runner-messages.ts';

/** A hostile file or peer fills some hundred megabytes in a second. */
const LOOK_MS = 100;
/** The executor kills the process, and so knows why; one that is too busy for it is not waited for. */
const KILLED_MS_MAX = 500;
const MB = 1_048_576;
const NUMBER_BYTES = 8;

function watch(): void {
  const end = () => process.kill(process.pid, 'SIGKILL');
  let leaseUntilMs = Number.POSITIVE_INFINITY;
  let rest = Buffer.alloc(0);
  const { processMbMax } = workerData as WatchdogData;
  let isOverMemory = false;
  const lifeline = new Socket({ fd: LIFELINE_FD, readable: true, writable: true });
  lifeline.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const whole = rest.length - (rest.length % NUMBER_BYTES);
    if (whole > 0) leaseUntilMs = rest.readDoubleLE(whole - NUMBER_BYTES);
    rest = rest.subarray(whole);
  });
  lifeline.on('error', end);
  lifeline.on('close', end);
  setInterval(() => {
    if (monotonicMs() > leaseUntilMs) end();
    if (isOverMemory || process.memoryUsage.rss() <= processMbMax * MB) return;
    isOverMemory = true;
    lifeline.write('m');
    setTimeout(end, KILLED_MS_MAX);
  }, LOOK_MS);
}

watch();
saveCompiledCode();
