import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { uvConfig } from '../engine/script/script-environment.ts';
import { digestOf } from '../engine/script/script-packages.ts';
import { CommandError } from './kit/command-error.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { readDocument } from './kit/read-document.ts';
import { replaceFile } from './kit/replace-file.ts';
import { requireConfig } from './kit/require-config.ts';
import { lockedSteps, withLocks } from './lock/task-locks.ts';
import { UV } from './run/local-context.ts';

const RESOLVE_MS_MAX = 300_000;

/**
 * `headgate lock`: pins what the script steps of task files import. Writes the `lock` of each into its file and changes nothing else:
 * for Python what uv resolves the `dependencies` to, with hashes, for every platform; for JavaScript the digest of the
 * package-lock.json of the `packages`, from the folder that SVC_SCRIPT_PACKAGES names. Versions that a lock has stay as long as they
 * fit, unless `upgrade` is given.
 */
export async function lock(
  files: readonly string[],
  options: { readonly json: boolean; readonly upgrade: boolean },
): Promise<number> {
  return perform(options, async (out) => {
    const { scripts } = requireConfig();
    const results: object[] = [];
    for (const file of files) {
      const yaml = readDocument(file);
      const locks: string[] = [];
      for (const { dependencies, packages, lock: before } of lockedSteps(file, yaml))
        locks.push(
          packages === null
            ? await resolvePython(dependencies, options.upgrade ? '' : before, scripts)
            : digestOfFolder(packages, scripts.packages),
        );
      const text = withLocks(yaml, locks);
      const changed = text !== yaml;
      if (changed) replaceFile(file, text);
      results.push({ file, steps: locks.length, changed });
      const what = locks.length === 0 ? 'has nothing to lock' : changed ? 'locked' : 'is up to date';
      out.line(`${file} ${what}`);
    }
    if (out.isJson) out.json({ results });
    return EXIT.ok;
  });
}

function digestOfFolder(name: string, known: Config['scripts']['packages']): string {
  const folder = known.find((one) => one.name === name)?.folder;
  if (folder === undefined)
    throw new CommandError(EXIT.usage, `SVC_SCRIPT_PACKAGES has no folder for the packages "${name}"`);
  try {
    return digestOf(readFileSync(join(resolve(folder), 'package-lock.json')));
  } catch (cause) {
    const message = `The packages "${name}" have no readable package-lock.json: run npm install in their folder`;
    throw new CommandError(EXIT.usage, message, { cause });
  }
}

/** In the environment of whoever asks, and with the uv.toml of SVC_SCRIPT_ENVIRONMENTS, which may name another index. Versions of the lock before stay where they fit. */
async function resolvePython(
  dependencies: readonly string[],
  before: string,
  { uv, python, environments }: Config['scripts'],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-lock-'));
  try {
    const place = join(folder, 'lock.txt');
    if (before !== '') await writeFile(place, before);
    const plain = ['--no-header', '--no-annotate', '--quiet', '--output-file', place];
    const exact = ['--universal', '--generate-hashes', '--only-binary', ':all:'];
    const interpreter = python === null ? [] : ['--python', python];
    const config = environments === null ? [] : uvConfig(resolve(environments));
    const args = ['pip', 'compile', ...exact, ...plain, ...interpreter, ...config, '-'];
    await runUv(uv ?? UV, args, dependencies);
    return (await readFile(place, 'utf8')).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runUv(program: string, args: readonly string[], lines: readonly string[]): Promise<void> {
  return new Promise((done, reject) => {
    const child = execFile(program, args, { timeout: RESOLVE_MS_MAX }, (error, _out, said) => {
      if (error === null) return done();
      const isMissing = (error as { code?: unknown }).code === 'ENOENT';
      const words = isMissing
        ? `"${program}" cannot be started: install uv, or set SVC_SCRIPT_UV to its path`
        : `The dependencies cannot be resolved: ${said.trim()}`;
      reject(new CommandError(EXIT.failed, words, { cause: error }));
    });
    child.stdin?.on('error', () => undefined).end(`${lines.join('\n')}\n`);
  });
}
