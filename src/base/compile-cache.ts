import { enableCompileCache, getCompileCacheDir } from 'node:module';

/**
 * Keeps compiled code between starts, in the system's temporary folder; harmless where that cannot be written. Called before
 * anything large is imported. Source: https://nodejs.org/api/module.html#module-compile-cache.
 */
export function keepCompiledCode(): void {
  enableCompileCache();
}

/** The whole environment of a child process that needs nothing of this one's but its compiled code. */
export function childEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
