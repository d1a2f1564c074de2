/**
 * The worker host: a child process that owns one pool of threads and runs what users write. It speaks to the control plane
 * over the IPC channel of `child_process.fork` alone, and ends with it.
 */
import { giveBackMemoryWhenIdle } from '../base/idle-memory.ts';
import { saveCompiledCode } from '../base/process/compile-cache.ts';
import type { FromHost, HostAnswer, HostSettings, ToHost } from './host-messages.ts';
import { ThreadScheduler } from './thread-scheduler.ts';

/** Threads close their connections within this time. */
const CLOSE_GRACE_MS = 300;

/** A hostile peer sends some hundred megabytes in a second. */
const MEMORY_WATCH_MS = 100;
const MB = 1_048_576;

function watchMemory(mbMax: number, onOver: () => void): void {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() <= mbMax * MB) return;
    clearInterval(watch);
    onOver();
  }, MEMORY_WATCH_MS);
  watch.unref();
}

function serveHost(): void {
  let settings: HostSettings | null = null;
  let scheduler: ThreadScheduler | null = null;
  let answers: HostAnswer[] = [];

  const send = (message: FromHost) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  // Answers of one turn of the event loop travel together.
  const flush = () => {
    const batch = answers;
    answers = [];
    send({ type: 'batch', answers: batch });
  };
  /** Threads come with the first call, and so does the watch of what they hold: two that wait hold 26 MB. */
  const started = () => {
    if (settings === null || scheduler !== null) return scheduler;
    watchMemory(settings.processMbMax, () => send({ type: 'over_memory' }));
    scheduler = new ThreadScheduler(settings, {
      answer(id, answer) {
        if (answers.length === 0) setImmediate(flush);
        answers.push({ id, ...answer });
      },
      stuck: () => send({ type: 'stuck' }),
    });
    return scheduler;
  };
  const stop = async () => {
    await scheduler?.stop(CLOSE_GRACE_MS);
    process.exit(0);
  };

  process.on('message', (message: ToHost) => {
    if (message.type === 'start') {
      settings = message.settings;
      return send({ type: 'ready', rssBytes: process.memoryUsage.rss() });
    }
    for (const request of message.requests) {
      if (request.type === 'run') started()?.run(request);
      else if (request.type === 'cancel') scheduler?.cancel(request.id);
      else send({ type: 'pong', rssBytes: process.memoryUsage.rss() });
    }
  });
  process.once('disconnect', () => void stop());
  // Signals to the whole process group reach it too; the control plane decides when its host ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  saveCompiledCode();
  giveBackMemoryWhenIdle();
}

serveHost();
