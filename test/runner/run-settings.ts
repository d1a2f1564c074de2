import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECONDS_MAX = process.env['HEADGATE_TEST_FAULTS'] === '1' ? 600 : 120;
/**
 * A test file that takes longer fails, unless it asks for more with `t.setTimeout`; a busy machine may give it more, and the long list of
 * faults, with all its cases, has more.
 */
export const FILE_MS_MAX = Number(process.env['HEADGATE_TEST_FILE_SECONDS'] ?? SECONDS_MAX) * 1_000;

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES_MIN = 1_500_000_000;
const root = join(import.meta.dirname, '../..');

/** Where tests put their files: in memory where the machine has a large enough file system for it, since no test needs a real disk. */
export function quickFolder(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { blocks, bsize } = statfsSync(MEMORY_FOLDER);
    if (blocks * bsize >= MEMORY_BYTES_MIN) return MEMORY_FOLDER;
  } catch {
    // There is none.
  }
  return tmpdir();
}

/** The folder of one run, open to PostgreSQL's own user; removed when the process ends. */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(quickFolder(), 'headgate-test-'));
  chmodSync(folder, 0o755);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** What the processes of a run have in their environment, and pass on to those that they start. */
export function environmentOf(
  folder: string,
  { isFullList, isNamed }: { readonly isFullList: boolean; readonly isNamed: boolean },
): NodeJS.ProcessEnv {
  const compiled = join(root, '.cache/compiled');
  mkdirSync(compiled, { recursive: true });
  return {
    ...process.env,
    ...(isFullList ? { HEADGATE_TEST_FAULTS: '1' } : {}),
    ...(isNamed ? { HEADGATE_TEST_NAMED: '1' } : {}),
    TMPDIR: folder,
    NODE_COMPILE_CACHE: compiled,
    TAP_TIMEOUT: '0',
  };
}
