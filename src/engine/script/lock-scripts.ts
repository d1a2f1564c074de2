import { type ExecFileOptions, execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptAccess } from '../../language/task/steps/script/script-access.ts';
import { dependencyProblem } from '../../language/task/steps/script/script-lock.ts';
import { environmentOfUv, uvConfig } from './script-environment.ts';
import { digestOf } from './script-packages.ts';
import { LockProblem, lockedSteps, withLocks } from './task-locks.ts';

const RESOLVE_MS_MAX = 300_000;
const WORDS_CHARS_MAX = 2_000;

export interface LockRequest {
  readonly access: Pick<ScriptAccess, 'python' | 'uv' | 'packages'>;
  /** Whether versions that a lock has may change; else they stay as long as they fit. */
  readonly upgrade: boolean;
  /** Whether uv has the environment of this process: that of whoever asks. Default: that of scripts. */
  readonly inherits?: boolean;
  readonly signal?: AbortSignal;
}

export interface LockedTask {
  /** The same text with the locks. */
  readonly yaml: string;
  /** Steps that have one. */
  readonly steps: number;
}

/**
 * Pins what the script steps of a task import, and changes nothing else of its text: for Python what uv resolves the `dependencies` to,
 * with hashes, for every platform; for JavaScript the digest of the package-lock.json of the `packages`. Throws a `LockProblem`, and the
 * signal's reason.
 */
export async function lockScripts(yaml: string, request: LockRequest): Promise<LockedTask> {
  const locks: string[] = [];
  for (const { dependencies, packages, lock } of lockedSteps(yaml))
    locks.push(
      packages === null
        ? await resolved(dependencies, request.upgrade ? '' : lock, request)
        : digestOfFolder(packages, request.access.packages ?? {}),
    );
  return { yaml: withLocks(yaml, locks), steps: locks.length };
}

function digestOfFolder(name: string, known: Readonly<Record<string, string>>): string {
  const folder = Object.hasOwn(known, name) ? known[name] : undefined;
  if (folder === undefined)
    throw new LockProblem(`SVC_SCRIPT_PACKAGES has no folder for the packages "${name}"`);
  try {
    return digestOf(readFileSync(join(folder, 'package-lock.json')));
  } catch (cause) {
    const message = `The packages "${name}" have no readable package-lock.json: run npm install in their folder`;
    throw new LockProblem(message, { cause });
  }
}

/** With the uv.toml of SVC_SCRIPT_ENVIRONMENTS, which may name another index. Versions of the lock before stay where they fit. */
async function resolved(
  dependencies: readonly string[],
  before: string,
  { access: { uv = null, python }, inherits = false, signal }: LockRequest,
): Promise<string> {
  if (uv === null)
    throw new LockProblem('Dependencies of Python are pinned by uv: set SVC_SCRIPT_UV to its path');
  const problem = dependencies.map(dependencyProblem).find((found) => found !== null);
  if (problem !== undefined) throw new LockProblem(problem);
  const folder = await mkdtemp(join(tmpdir(), 'headgate-lock-'));
  try {
    const place = join(folder, 'lock.txt');
    if (before !== '') await writeFile(place, before);
    const plain = ['--no-header', '--no-annotate', '--quiet', '--output-file', place];
    const exact = ['--universal', '--generate-hashes', '--only-binary', ':all:'];
    const interpreter = python === null ? [] : ['--python', python];
    await mkdir(uv.folder, { recursive: true, mode: 0o700 });
    const args = ['pip', 'compile', ...exact, ...plain, ...interpreter, ...uvConfig(uv.folder), '-'];
    const own = inherits ? {} : { env: environmentOfUv(uv.folder), cwd: uv.folder };
    await runUv(uv.program, args, dependencies, { ...own, signal });
    return (await readFile(place, 'utf8')).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runUv(
  program: string,
  args: readonly string[],
  lines: readonly string[],
  options: Pick<ExecFileOptions, 'env' | 'cwd' | 'signal'>,
): Promise<void> {
  return new Promise((done, reject) => {
    const limits = { timeout: RESOLVE_MS_MAX, killSignal: 'SIGKILL' } as const;
    const child = execFile(
      program,
      args,
      { ...options, ...limits, encoding: 'utf8' },
      (error, _out, said) => {
        if (error === null) return done();
        if (options.signal?.aborted) return reject(options.signal.reason);
        const isMissing = (error as { code?: unknown }).code === 'ENOENT';
        const words = isMissing
          ? 'uv cannot be started: install it, or set SVC_SCRIPT_UV to its path'
          : `The dependencies cannot be resolved: ${said.trim().slice(0, WORDS_CHARS_MAX)}`;
        reject(new LockProblem(words, { cause: error }));
      },
    );
    child.stdin?.on('error', () => undefined).end(`${lines.join('\n')}\n`);
  });
}
