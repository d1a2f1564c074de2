import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { childEnvironment } from './compile-cache.ts';

const SAID_CHARS_MAX = 4_000;

/** Starts one of this program's entry files, with a channel. This process's environment holds keys: the child gets none of them. */
export function forkEntry(entry: string, options: ForkOptions): ChildProcess {
  return fork(entry, [], { serialization: 'advanced', env: childEnvironment(), ...options });
}

/** What a child has written to standard error so far: the end of it. */
export function lastWords(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_CHARS_MAX);
  });
  return () => said;
}

/** Resolves when the process is gone: asked to end, and killed after `graceMs` all the same. */
export async function endWithin(
  graceMs: number,
  {
    gone,
    ask,
    kill,
  }: { readonly gone: Promise<unknown>; readonly ask: () => void; readonly kill: () => void },
): Promise<void> {
  ask();
  const late = setTimeout(kill, graceMs);
  await gone;
  clearTimeout(late);
}
