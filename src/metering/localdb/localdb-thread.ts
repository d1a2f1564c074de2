import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import { saveCompiledCode } from '../../base/process/compile-cache.ts';
import type { PackedPoints } from '../packed-points.ts';
import { ForeignFileError, openMetricsFile } from './localdb-file.ts';
import { LocaldbStore } from './localdb-store.ts';

/** To the thread. */
export type LocaldbRequest =
  | { readonly kind: 'write'; readonly id: number; readonly points: PackedPoints }
  | {
      readonly kind: 'query';
      readonly id: number;
      readonly sql: string;
      readonly values: readonly (number | string)[];
    }
  | { readonly kind: 'remove'; readonly id: number; readonly runIds: readonly number[] }
  /** Answered with the number of runs that were removed. */
  | { readonly kind: 'prune'; readonly id: number; readonly now: number; readonly days: number }
  /** Answered with whether there is more to give back. */
  | { readonly kind: 'shrink'; readonly id: number }
  | { readonly kind: 'stop' };

/** From the thread: how opening went, then an answer per request, after the commit. */
export type LocaldbAnswer =
  | { readonly kind: 'opened' }
  | { readonly kind: 'unopened'; readonly foreign: boolean; readonly message: string }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

export interface LocaldbThreadData {
  readonly path: string;
}

/** Points in one commit: bounds how long a commit and the answers that wait for it take. */
const COMMIT_POINTS_MAX = 20_000;

type Write = Extract<LocaldbRequest, { kind: 'write' }>;

/** The thread that owns a metrics file. Writes that wait when it comes to them share a commit. */
class LocaldbThread {
  readonly #port: MessagePort;
  readonly #store: LocaldbStore;
  readonly #waiting: LocaldbRequest[] = [];
  #scheduled = false;

  constructor(port: MessagePort, store: LocaldbStore) {
    this.#port = port;
    this.#store = store;
    port.on('message', (message: LocaldbRequest) => {
      this.#waiting.push(message);
      this.#schedule();
    });
    this.#answer({ kind: 'opened' });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#work();
    });
  }

  #work(): void {
    this.#receiveAll();
    const writes = this.#takeWrites();
    if (writes.length > 0) this.#write(writes);
    else {
      const request = this.#waiting.shift();
      if (request !== undefined && !this.#perform(request)) return;
    }
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Also what came while this was at work. */
  #receiveAll(): void {
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port))
      this.#waiting.push(next.message as LocaldbRequest);
  }

  #takeWrites(): Write[] {
    const writes: Write[] = [];
    let points = 0;
    for (const request of this.#waiting) {
      if (request.kind !== 'write') break;
      points += request.points.length;
      if (writes.length > 0 && points > COMMIT_POINTS_MAX) break;
      writes.push(request);
    }
    this.#waiting.splice(0, writes.length);
    return writes;
  }

  /** Where a group cannot be stored each is stored by itself: one that cannot must not take the others with it. */
  #write(writes: readonly Write[]): void {
    try {
      this.#store.write(writes.map(({ points }) => points));
      for (const { id } of writes) this.#answer({ kind: 'done', id, value: null });
    } catch (error) {
      const [only] = writes;
      if (writes.length > 1) for (const one of writes) this.#write([one]);
      else if (only !== undefined) this.#answer({ kind: 'failed', id: only.id, message: messageOf(error) });
    }
  }

  /** False where it was the last. */
  #perform(request: Exclude<LocaldbRequest, Write> | Write): boolean {
    if (request.kind === 'stop') {
      this.#store.close();
      this.#port.close();
      return false;
    }
    try {
      this.#answer({ kind: 'done', id: request.id, value: this.#valueOf(request) });
    } catch (error) {
      this.#answer({ kind: 'failed', id: request.id, message: messageOf(error) });
    }
    return true;
  }

  #valueOf(request: Exclude<LocaldbRequest, { kind: 'stop' }>): unknown {
    switch (request.kind) {
      case 'write':
        return this.#store.write([request.points]);
      case 'query':
        return this.#store.query(request.sql, request.values);
      case 'remove':
        return this.#store.removeRuns(request.runIds);
      case 'prune':
        return this.#store.prune(request.now, request.days);
      case 'shrink':
        return this.#store.shrink();
      default:
        return request satisfies never;
    }
  }

  #answer(message: LocaldbAnswer): void {
    this.#port.postMessage(message);
  }
}

function start(port: MessagePort, { path }: LocaldbThreadData): void {
  try {
    new LocaldbThread(port, new LocaldbStore(openMetricsFile(path)));
  } catch (error) {
    const foreign = error instanceof ForeignFileError;
    port.postMessage({ kind: 'unopened', foreign, message: messageOf(error) } satisfies LocaldbAnswer);
    port.close();
  }
}

if (parentPort !== null) start(parentPort, workerData as LocaldbThreadData);
saveCompiledCode();
