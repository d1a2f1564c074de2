import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../base/files/temporary-folder.ts';

/** A folder of one process, which nobody else may enter. */
export interface PluginFolder {
  readonly path: string;
  /** Writes a JSON file for its owner alone; gives its path. */
  write(name: string, content: unknown): Promise<string>;
  remove(): Promise<void>;
}

export async function makePluginFolder(): Promise<PluginFolder> {
  const path = await makeTemporaryFolder('plugin');
  return {
    path,
    write: async (name, content) => {
      const file = join(path, name);
      await writeFile(file, JSON.stringify(content), { mode: 0o600 });
      return file;
    },
    // What the process has left open or is still writing must not keep its configuration there.
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
