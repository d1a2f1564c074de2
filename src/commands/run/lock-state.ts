import { basename, dirname, join } from 'node:path';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';

/**
 * Keeps a state file to this process, so that no two runs read from the same cursor: what both append would be there twice. The lock
 * goes with the process, however it ends; an empty file stays beside the state. Gives the function that lets it go. `CommandError` where
 * another run has the state, or where its folder cannot be written.
 */
export async function lockState(path: string): Promise<() => void> {
  const { takeFileLock } = await import('../../drivers/files/local/commit-lock.ts');
  const lock = await takeFileLock(join(dirname(path), `.${basename(path)}.headgate-lock`)).catch(
    (cause: unknown) => {
      throw new CommandError(EXIT.config, `The state file "${path}" cannot be written`, { cause });
    },
  );
  if (lock === null)
    throw new CommandError(
      EXIT.failed,
      `Another run is using the state file "${path}": start this one when that has ended`,
    );
  return () => lock.close();
}
