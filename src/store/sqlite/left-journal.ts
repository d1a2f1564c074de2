import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { sleep } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { threadEnvironment } from '../../base/process/compile-cache.ts';
import { entryFile } from '../../base/program-files.ts';

/** Moved within a commit as ever; a second of a quick disk moves 300 MB. */
const LARGE_BYTES = 16 * 1_048_576;
/** SQLite's own default: the commit that makes the journal longer moves it. */
const PAGES_MAX = 1_000;
/** A server that has just started has other things to do. */
const WAIT_MS = 5_000;

/** What the thread is told. */
export interface LeftJournal {
  readonly path: string;
}

/**
 * Moves the large journal that a killed server left, where something had long read its file, in a thread and after the start. The
 * first commit would move it otherwise, while everything else waits. Commits of `writer`, the one handle that writes, move none
 * until it is done. The result stops it: at once before it has begun, and after its end otherwise.
 */
export function moveLeftJournal(
  path: string,
  writer: DatabaseSync,
  logger: Logger,
  waitMs = WAIT_MS,
): () => Promise<void> {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= LARGE_BYTES) return async () => {};
  writer.exec('pragma wal_autocheckpoint = 0');
  const stop = new AbortController();
  const done = (async () => {
    await sleep(waitMs, stop.signal);
    if (stop.signal.aborted) return;
    await moved({ path }).catch((error: unknown) =>
      logger.warn({ err: error }, 'the journal that was left could not be moved in its thread'),
    );
    writer.exec(`pragma wal_autocheckpoint = ${PAGES_MAX}`);
  })();
  return async () => {
    stop.abort();
    await done;
  };
}

function moved(workerData: LeftJournal): Promise<void> {
  return new Promise((resolve, reject) => {
    new Worker(entryFile('src/store/sqlite/left-journal-thread'), { workerData, env: threadEnvironment() })
      .once('error', reject)
      .once('exit', () => resolve());
  });
}
