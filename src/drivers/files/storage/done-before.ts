import type { StagedFile } from './file-storage.ts';

/** What a load gets to write into whose earlier attempt has committed: nothing. */
export function doneBefore(rows: number): StagedFile {
  const refuse = () => Promise.reject(new Error('this load was already committed'));
  return {
    alreadyDone: { rows },
    handle: null,
    continues: false,
    write: refuse,
    cut: () => undefined,
    commit: refuse,
    abort: async () => undefined,
  };
}
