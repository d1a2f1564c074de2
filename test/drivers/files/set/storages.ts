import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { createBucket, withoutS3 } from '../../../support/object-storage.ts';
import { startSftpServer, withoutSftp } from '../../../support/sftp-server.ts';

/** Where a connector's files lie, as seen past the drivers. */
export interface Place {
  readonly config: Record<string, unknown>;
  readonly folder: string;
  /** Names of all files, hidden ones too, sorted. */
  names(): Promise<readonly string[]>;
  text(name: string): Promise<string | null>;
  put(name: string, text: string): Promise<void>;
}

function folderPlace(folder: string, config: Record<string, unknown>): Place {
  return {
    config,
    folder,
    names: async () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort(),
    text: async (name) => readFileSync(join(folder, name), 'utf8'),
    put: async (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
  };
}

/** Each storage that loads write into. */
export const STORAGES: readonly {
  readonly name: string;
  readonly skip: false | string;
  open(t: Test): Promise<Place>;
}[] = [
  {
    name: 'a folder',
    skip: false,
    open: async (t) => {
      const folder = t.testdir();
      return folderPlace(folder, { path: folder });
    },
  },
  {
    name: 'object storage',
    skip: withoutS3(),
    open: async (t) => {
      const bucket = await createBucket();
      return {
        config: bucket.config('set/'),
        folder: t.testdir(),
        names: async () =>
          [...(await bucket.keys()), ...(await bucket.uploads()).map((key) => `${key} (upload)`)]
            .map((key) => key.replace(/^set\//, ''))
            .sort(),
        text: (name) => bucket.text(`set/${name}`),
        put: (name, text) => bucket.put(`set/${name}`, text),
      };
    },
  },
  {
    name: 'an SFTP server',
    skip: withoutSftp(),
    open: async (t) => {
      const server = await startSftpServer(t);
      return folderPlace(server.folder, server.config(''));
    },
  },
];
