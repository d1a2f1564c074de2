import type { LogAck, LogBatch, LogFrame } from '../../protocol/control-plane.ts';
import { decodeLogFrame } from '../../protocol/wire/log-frame.ts';
import type { Store } from '../../store/store.ts';
import { LogBacklog, notStored } from './log-backlog.ts';
import { commitLogs, forgetLogs } from './run-log-postgres.ts';

const COMMIT_BATCHES_MAX = 64;
const COMMIT_LINES_MAX = 20_000;

interface Waiting {
  readonly batch: LogBatch;
  readonly resolve: (ack: LogAck) => void;
  readonly reject: (error: Error) => void;
}

/** Group commit over a pool: what arrives while a commit is under way is the next one. */
export class PooledLogWriter {
  readonly #store: Store;
  readonly #backlog = new LogBacklog();
  readonly #queue: Waiting[] = [];
  #working: Promise<void> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  async append(frame: LogFrame): Promise<LogAck> {
    const batch = decodeLogFrame(frame);
    return this.#backlog.hold(frame.bytes.byteLength, () => {
      return new Promise((resolve, reject) => {
        this.#queue.push({ batch, resolve, reject });
        this.#working ??= this.#work();
      });
    });
  }

  async forget(runId: number): Promise<void> {
    await forgetLogs(this.#store, runId).catch((cause: unknown) => {
      throw notStored(cause);
    });
  }

  async close(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) {
      const taken = this.#take();
      try {
        const acks = await commitLogs(
          this.#store,
          taken.map((entry) => entry.batch),
        );
        taken.forEach((entry, index) => {
          const ack = acks[index];
          if (ack !== undefined) entry.resolve(ack);
        });
      } catch (cause) {
        for (const entry of taken) entry.reject(notStored(cause));
      }
    }
    this.#working = null;
  }

  #take(): Waiting[] {
    let lines = 0;
    let count = 0;
    for (const { batch } of this.#queue) {
      lines += batch.lines.length;
      if (count > 0 && (count === COMMIT_BATCHES_MAX || lines > COMMIT_LINES_MAX)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }
}
