import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** Writes what was compiled so far: Node does it at the end of a process alone, and a process that is killed has none. */
export function saveCompiledCode(): void {
  flushCompileCache();
}

/**
 * The whole environment of a child process that needs nothing of this one's but its compiled code. The C library gives each
 * thread an arena of its own, which keeps what it once held; two for all take 5 MB less in an idle process.
 */
export function childEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  // Node adds a folder for its version and flags.
  const cache = folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
  return { MALLOC_ARENA_MAX: '2', ...cache };
}
