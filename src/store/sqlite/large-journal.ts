import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../base/logger.ts';
import { threadEnvironment } from '../../base/process/compile-cache.ts';
import { entryFile } from '../../base/program-files.ts';

/** Moved within a commit as ever; a second of a quick disk moves 300 MB. */
const LARGE_BYTES = 16 * 1_048_576;
/** SQLite's own default: the commit that makes the journal longer moves it. */
const PAGES_MAX = 1_000;
/** A server that has just started has other things to do; and what is still being read is tried again after as long. */
const WAIT_MS = 5_000;
const LOOK_MS = 1_000;

/** What the thread is told; it answers whether it could move all of the journal. */
export interface LargeJournal {
  readonly path: string;
}

export interface JournalTimes {
  /** Before the first move, and between two; default 5,000. */
  readonly waitMs?: number;
  /** Between two looks at the size of the journal, default 1,000. */
  readonly lookMs?: number;
}

/**
 * Moves a large journal in a thread: one that a killed server left, and one that grew while something read the file for long, such as
 * a backup or a shell. The next commit would move it otherwise, while everything else waits: 2 s for 300 MB. Commits of `writer`, the
 * one handle that writes, move none until it is done. The result stops it: at once before a move has begun, and after its end
 * otherwise.
 */
export function moveLargeJournals(
  path: string,
  writer: DatabaseSync,
  logger: Logger,
  { waitMs = WAIT_MS, lookMs = LOOK_MS }: JournalTimes = {},
): () => Promise<void> {
  let notBefore = performance.now() + waitMs;
  let moving: Promise<void> | null = null;
  let isAside = false;
  /** Of a journal with nothing left to move, which the next commit begins anew and cuts. */
  let movedBytes = 0;
  const move = async (bytes: number) => {
    const isWhole = await moved({ path }).catch((error: unknown) => {
      logger.warn({ err: error }, 'a large journal could not be moved in its thread');
      return true;
    });
    notBefore = performance.now() + waitMs;
    moving = null;
    if (!isWhole) return;
    movedBytes = bytes;
    isAside = false;
    writer.exec(`pragma wal_autocheckpoint = ${PAGES_MAX}`);
  };
  const look = () => {
    const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes <= LARGE_BYTES || bytes === movedBytes || moving !== null) return;
    if (!isAside) writer.exec('pragma wal_autocheckpoint = 0');
    isAside = true;
    if (performance.now() >= notBefore) moving = move(bytes);
  };
  look();
  const timer = setInterval(look, lookMs).unref();
  return async () => {
    clearInterval(timer);
    await moving;
  };
}

function moved(workerData: LargeJournal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    new Worker(entryFile('src/store/sqlite/large-journal-thread'), { workerData, env: threadEnvironment() })
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => resolve(false));
  });
}
