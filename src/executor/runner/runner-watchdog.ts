/**
 * A thread beside a runner's own: it ends the process when the executor is gone or the lease has run out, also while an
 * expression or a native call keeps the runner's own thread from hearing of it. The executor tells the end of the lease over
 * a pipe of its own, and the end of that pipe is the end of the executor.
 */
import { Socket } from 'node:net';
import { saveCompiledCode } from '../../base/compile-cache.ts';
import { LIFELINE_FD, monotonicMs } from './runner-messages.ts';

const LOOK_MS = 250;
const NUMBER_BYTES = 8;

function watch(): void {
  const end = () => process.kill(process.pid, 'SIGKILL');
  let leaseUntilMs = Number.POSITIVE_INFINITY;
  let rest = Buffer.alloc(0);
  const lifeline = new Socket({ fd: LIFELINE_FD, readable: true, writable: false });
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
  }, LOOK_MS);
}

watch();
saveCompiledCode();
