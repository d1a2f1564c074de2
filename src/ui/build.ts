import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

const uiRoot = dirname(fileURLToPath(import.meta.url));
/** What the pages are made of: their own code, and the API's client. */
const sources = [uiRoot, join(uiRoot, '../client')];
const dist = join(uiRoot, '../../dist');
const assets = join(dist, 'ui/assets');
/** Written last. */
const outputMarker = join(dist, 'ui/.built');
const lock = join(dist, '.ui-build');
const lockAgeMaxMs = 60_000;
const lockPollMs = 100;

/**
 * Builds the web pages into `dist/ui`, unless it is newer than every file that they are made of. If several processes call it at the same
 * time, one builds and the others wait. Can also be run as a command: `node src/ui/build.ts`.
 */
export async function buildUi(): Promise<'built' | 'fresh'> {
  while (!isFresh()) {
    if (!takeLock()) {
      await sleep(lockPollMs);
      continue;
    }
    try {
      // Imported only when needed: loading it takes half a second.
      const { build } = await import('vite');
      await build({ configFile: join(uiRoot, 'vite.config.ts'), logLevel: 'warn' });
      await compressAssets();
      await writeFile(outputMarker, '');
      return 'built';
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return 'fresh';
}

/** Beside each script and style sheet, with Brotli's best effort: the server sends these as they are. */
async function compressAssets(): Promise<void> {
  const compress = promisify(brotliCompress);
  await Promise.all(
    readdirSync(assets).map(async (name) => {
      const path = join(assets, name);
      await writeFile(`${path}.br`, await compress(await readFile(path)));
    }),
  );
}

function isFresh(): boolean {
  if (existsSync(lock) && !isLockStale()) return false;
  return (
    existsSync(outputMarker) && statSync(outputMarker).mtimeMs > Math.max(...sources.map(newestChangeMs))
  );
}

/** The lock is a folder: only one process can create it. One left behind by a killed build is removed. */
function takeLock(): boolean {
  try {
    if (isLockStale()) rmSync(lock, { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

function isLockStale(): boolean {
  const made = statSync(lock, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > lockAgeMaxMs;
}

function newestChangeMs(folder: string): number {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const changed = entry.isDirectory() ? newestChangeMs(path) : statSync(path).mtimeMs;
    newest = Math.max(newest, changed);
  }
  return newest;
}

if (import.meta.main) {
  console.log(`ui: ${await buildUi()}`);
}
