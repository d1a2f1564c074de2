import { createContext, useContext, useSyncExternalStore } from 'react';

/** A file of the page that could not be fetched: a screen, the editor, a chart. */
export class MissingFile extends Error {
  constructor(cause: unknown) {
    super('A file of the page could not be fetched', { cause });
    this.name = 'MissingFile';
  }
}

/** The same import, which rejects with `MissingFile` where the file cannot be fetched. */
export async function fileOfPage<T>(file: Promise<T>): Promise<T> {
  try {
    return await file;
  } catch (error) {
    throw new MissingFile(error);
  }
}

/** Whether the files of the open page are still those of the server. */
export interface PageFiles {
  /** True once the server has been updated since the page was opened. */
  isOutdated(): boolean;
  /** Asks the server, since a file could not be fetched. False: it does not answer. */
  check(): Promise<boolean>;
  subscribe(listener: () => void): () => void;
}

interface PageFilesDeps {
  /** The page as the server sends it now; null: it answers otherwise. Rejects where it does not answer. */
  readPage(): Promise<string | null>;
  /** The path of the script that the open page began with. */
  readonly script: string;
  onLost(): void;
}

export function createPageFiles({ readPage, script, onLost }: PageFilesDeps): PageFiles {
  const listeners = new Set<() => void>();
  let outdated = false;
  return {
    isOutdated: () => outdated,
    async check() {
      try {
        const page = await readPage();
        if (outdated || page === null || page.includes(script)) return page !== null;
      } catch {
        onLost();
        return false;
      }
      outdated = true;
      for (const listener of listeners) listener();
      return true;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const PageFilesContext = createContext<PageFiles | null>(null);

export function usePageFiles(): PageFiles {
  const files = useContext(PageFilesContext);
  if (files === null) throw new Error('There is no PageFilesContext around this component');
  return files;
}

export function usePageOutdated(): boolean {
  const { subscribe, isOutdated } = usePageFiles();
  return useSyncExternalStore(subscribe, isOutdated);
}
