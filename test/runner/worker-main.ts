/**
 * Runs test files in one process, one after another, each as a subtest of tap's root. Their names come from `worker.ts`, the output
 * is TAP. A file that leaves something behind fails, and the process ends with it.
 */

import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { footprint, leftBehind, WATCHED_EVENTS } from './footprint.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { replaceDomain } from './own-domain.ts';
import { giveOwnTap } from './own-tap.ts';
import { FILE_MS_MAX } from './run-settings.ts';
import { needsOwnProcess } from './test-files.ts';
import { usedCpuMs } from './used-cpu.ts';

/** What a file used may need a moment to close by itself: idle connections, above all. */
const SETTLE_MS_MAX = 5_000;
const ALIVE_EVERY_MS = 5_000;
const RSS_BYTES_MAX = 1_000_000_000;

const root = join(import.meta.dirname, '../..');
await import('../../src/base/process/quick-imports.ts');
replaceDomain();
const { default: tap } = await import('tap');

async function main(fixtures: string): Promise<void> {
  // For any fixture outside the working folder tap would leave that folder, which on Windows it must to remove the fixture.
  process.chdir = () => undefined;
  let files = 0;
  let isOver = false;
  // A file waits for what nothing will bring about: tap ends all tests there.
  process.once('beforeExit', () => {
    isOver = true;
  });
  tap.pipe(process.stdout);
  setInterval(() => tell({ kind: 'alive' }), ALIVE_EVERY_MS).unref();
  tell({ kind: 'ready' });
  for (let isLast = false; !isLast; ) {
    const message = await nextMessage();
    if (message.kind === 'end') break;
    const cpuMs = usedCpuMs();
    const before = footprint(needsOwnProcess(message.file) ? [] : WATCHED_EVENTS);
    // Short: the path of a Unix socket in it has at most 107 bytes.
    await runFile(message.file, join(fixtures, `${process.pid}-${files++}`));
    const left = await leftBehind(before, SETTLE_MS_MAX);
    if (left !== null) tap.fail(`${message.file} leaves behind: ${left}`);
    isLast = isOver || left !== null || process.memoryUsage.rss() > RSS_BYTES_MAX;
    tell({ kind: 'done', file: message.file, cpuMs: usedCpuMs() - cpuMs, isLast });
  }
  await new Promise<void>((resolve) => tap.on('complete', () => resolve()).end());
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit();
}

async function runFile(file: string, fixture: string): Promise<void> {
  process.env['HEADGATE_TEST_FILE'] = file;
  await tap.test(file, { timeout: FILE_MS_MAX }, async (t) => {
    t.testdirName = fixture;
    const { href } = pathToFileURL(join(root, file));
    giveOwnTap(href, t);
    await import(href);
  });
}

function tell(message: FromWorker): void {
  process.send?.(message);
}

/** The channel keeps the process only while it waits: a file that waits for what never comes must end, and fail. */
async function nextMessage(): Promise<ToWorker> {
  process.channel?.ref();
  const [message] = await once(process, 'message');
  process.channel?.unref();
  return message as ToWorker;
}

await main(process.argv[2] ?? join(root, '.tap/fixtures'));
