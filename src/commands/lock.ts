import { lockScripts } from '../engine/script/lock-scripts.ts';
import { LockProblem } from '../engine/script/task-locks.ts';
import { CommandError } from './kit/command-error.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { readDocument } from './kit/read-document.ts';
import { replaceFile } from './kit/replace-file.ts';
import { requireConfig } from './kit/require-config.ts';
import { localScripts } from './run/local-context.ts';

/**
 * `headgate lock`: pins what the script steps of task files import. Writes the `lock` of each into its file and changes nothing else; see
 * `lockScripts`. Versions that a lock has stay as long as they fit, unless `upgrade` is given.
 */
export async function lock(
  files: readonly string[],
  options: { readonly json: boolean; readonly upgrade: boolean },
): Promise<number> {
  return perform(options, async (out) => {
    const access = { ...(await localScripts(true)), python: requireConfig().scripts.python };
    const results: object[] = [];
    for (const file of files) {
      const before = readDocument(file);
      const request = { access, upgrade: options.upgrade, inherits: true };
      const { yaml, steps } = await lockScripts(before, request).catch((error: unknown) => {
        if (error instanceof LockProblem)
          throw new CommandError(EXIT.failed, `${file}: ${error.message}`, { cause: error });
        throw error;
      });
      const changed = yaml !== before;
      if (changed) replaceFile(file, yaml);
      results.push({ file, steps, changed });
      const what = steps === 0 ? 'has nothing to lock' : changed ? 'locked' : 'is up to date';
      out.line(`${file} ${what}`);
    }
    if (out.isJson) out.json({ results });
    return EXIT.ok;
  });
}
