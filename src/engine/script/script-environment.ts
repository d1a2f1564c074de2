import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeFolderToOthers } from '../../base/files/private-files.ts';

/** From the start of uv until the environment is there: packages may have to be fetched. */
const INSTALL_MS_MAX = 300_000;
const WORDS_CHARS_MAX = 1_000;
const DAY_MS = 86_400_000;
const UNUSED_DAYS_MAX = 30;
const HALF_MADE_MS_MAX = 3_600_000;
const MAKING = 'making-';

/** Why an environment cannot be made; the message is for people. */
export class EnvironmentProblem extends Error {
  override readonly name = 'EnvironmentProblem';
}

export interface EnvironmentRequest {
  /** The Python that it is an environment of. */
  readonly python: string;
  /** The program that installs, and the folder of the environments. */
  readonly uv: { readonly program: string; readonly folder: string };
  /** Requirements with exact versions and hashes, as `uv pip compile --generate-hashes` writes them. */
  readonly lock: string;
  readonly signal: AbortSignal;
}

/**
 * The Python of an environment that has what a lock says and nothing else: made once, and the same for every step with that lock. It is
 * made aside and appears whole, so that runs may ask for it at once and die meanwhile. Only wheels are installed, since to build a
 * package is to run its code. Those that no run has used for 30 days are removed. Throws an `EnvironmentProblem`, and the signal's
 * reason.
 */
export async function pythonOfEnvironment(request: EnvironmentRequest): Promise<string> {
  const { python, uv, lock, signal } = request;
  const digest = createHash('sha256').update(`${python}\n${lock}`).digest('hex');
  const place = join(uv.folder, digest);
  const program = join(place, 'bin', 'python');
  if (!existsSync(program)) {
    await openFolder(uv.folder);
    await removeUnused(uv.folder);
    const aside = join(uv.folder, `${MAKING}${randomUUID()}`);
    try {
      await install(request, aside);
      // Where another run was first, its environment is the same.
      await rename(aside, place).catch((error: unknown) => {
        if (!existsSync(program)) throw error;
      });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }
  const now = new Date();
  await utimes(place, now, now).catch(() => undefined);
  return program;
}

async function openFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    closeFolderToOthers(folder);
  } catch {
    throw new EnvironmentProblem('The folder for environments is not writable: see SVC_SCRIPT_ENVIRONMENTS');
  }
}

async function install(request: EnvironmentRequest, folder: string): Promise<void> {
  await runUv(request, ['venv', '--quiet', '--relocatable', '--python', request.python, folder]);
  const requirements = join(folder, 'lock.txt');
  await writeFile(requirements, request.lock);
  const exactly = ['--require-hashes', '--only-binary', ':all:', '--strict'];
  const python = join(folder, 'bin', 'python');
  await runUv(request, ['pip', 'sync', '--quiet', ...exactly, '--python', python, requirements]);
}

/** Without this process's environment: what uv needs to know is in `uv.toml`. */
async function runUv({ uv, signal }: EnvironmentRequest, args: readonly string[]): Promise<void> {
  const env = environmentOfUv(uv.folder);
  const options = { env, cwd: uv.folder, signal, timeout: INSTALL_MS_MAX, killSignal: 'SIGKILL' } as const;
  await new Promise<void>((resolve, reject) => {
    execFile(uv.program, [...args, ...uvConfig(uv.folder)], options, (error, _out, said) => {
      if (error === null) return resolve();
      const { code, killed } = error as { code?: unknown; killed?: boolean };
      if (code === 'ENOENT' || code === 'EACCES')
        return reject(new EnvironmentProblem('uv cannot be started: see SVC_SCRIPT_UV'));
      if (killed === true)
        return reject(
          new EnvironmentProblem(`The dependencies were not installed within ${INSTALL_MS_MAX / 1_000} s`),
        );
      reject(new EnvironmentProblem(`The dependencies cannot be installed: ${wordsOf(said, uv.folder)}`));
    });
  });
}

/** What uv has where scripts run, with its cache in the folder of the environments. */
export function environmentOfUv(folder: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: folder,
    UV_CACHE_DIR: join(folder, 'cache'),
    UV_PYTHON_DOWNLOADS: 'never',
    UV_NO_PROGRESS: '1',
  };
}

/** How uv is told to read the `uv.toml` in the folder of the environments, where there is one. */
export function uvConfig(folder: string): readonly string[] {
  const own = join(folder, 'uv.toml');
  return existsSync(own) ? ['--config-file', own] : [];
}

/** What uv said, without where its files are. */
function wordsOf(said: string, folder: string): string {
  const words = said
    .replaceAll(folder, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  return words.length > WORDS_CHARS_MAX ? `${words.slice(0, WORDS_CHARS_MAX)}…` : words;
}

async function removeUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = join(folder, name);
    const ageMs = Date.now() - (await stat(place).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    const isOld = name.startsWith(MAKING)
      ? ageMs > HALF_MADE_MS_MAX
      : /^[0-9a-f]{64}$/.test(name) && ageMs > UNUSED_DAYS_MAX * DAY_MS;
    if (isOld) await rm(place, { recursive: true, force: true });
  }
}
