import { availableParallelism } from 'node:os';
import { HostedPool } from './hosted-pool.ts';
import { CALL_KINDS } from './messages/calls.ts';
import type { WorkerPool, WorkerPoolOptions } from './worker-pool.ts';

const DRAFT_THREADS_MAX = 2;
const DRAFT_CALLS_PER_THREAD = 4;
const DRAFT_QUEUE_MAX = 200;
/** The threads of drafts yield to those of dashboards where the machine's cores are all busy. */
const DRAFT_NICENESS = 5;
const DRAFT_IDLE_MS_MAX = 60_000;

/**
 * The control plane's side of the worker host: a bounded queue, one host child that is replaced at once when it dies, and a
 * few others in which calls run alone when it is not known which of them broke a thread or the host. What editors try out (the
 * lane `draft`) has a smaller host of its own, which starts with the first such call and ends when idle.
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const threads = options.threads ?? Math.max(2, availableParallelism());
  const served = new HostedPool({ ...options, threads });
  const drafts = new HostedPool({
    ...options,
    threads: Math.min(threads, DRAFT_THREADS_MAX),
    callsPerThread: DRAFT_CALLS_PER_THREAD,
    queueMax: Math.min(options.queueMax ?? DRAFT_QUEUE_MAX, DRAFT_QUEUE_MAX),
    niceness: DRAFT_NICENESS,
    idleMsMax: DRAFT_IDLE_MS_MAX,
  });
  return {
    run: (call, runOptions) =>
      (CALL_KINDS[call.kind].lane === 'draft' ? drafts : served).run(call, runOptions),
    stats() {
      const [mine, theirs] = [served.stats(), drafts.stats()];
      return {
        queued: mine.queued + theirs.queued,
        running: mine.running + theirs.running,
        isolated: mine.isolated + theirs.isolated,
        restarts: mine.restarts + theirs.restarts,
        hostPid: mine.hostPid,
        memory: mine.memory,
        drafts: theirs.memory,
      };
    },
    ready: () => served.ready(),
    async stop() {
      await Promise.all([served.stop(), drafts.stop()]);
    },
  };
}
