import { lstat, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { randomHex } from '../../../base/ids.ts';
import { isMissing } from './file-fault.ts';
import { versionOf } from './file-version.ts';

/** Loads that a file remembers; a retry comes within a few loads of its first attempt. */
export const rememberedLoadsMax = 100;

const load = z.strictObject({ load_id: z.string(), rows: z.int().min(0) });

const loadRecord = z.strictObject({
  /** Loads that are known to be in the file, oldest first. */
  loads: z.array(load),
  /** The load whose rename came next when the record was written. */
  last: z
    .strictObject({
      load_id: z.string(),
      rows: z.int().min(0),
      staging: z.string(),
      before: z.string().nullable(),
    })
    .nullable(),
});

export type LoadRecord = z.infer<typeof loadRecord>;

/**
 * The record beside a target of the loads that it holds, `.<name>.headgate`. It is written, atomically, just before the
 * rename that commits a load; so its last load is in the file exactly when the rename has happened as well: the staging
 * file is gone and the target is no longer the file that it was.
 */
export function loadRecordPath(folder: string, file: string): string {
  return join(folder, `.${file}.headgate`);
}

/** Identity, size and time of a file, or null where there is none. */
export async function fileVersion(path: string): Promise<string | null> {
  try {
    return versionOf(await lstat(path, { bigint: true }));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Reads the record and settles its last load; a record that is missing or torn counts as empty. */
export async function readLoads(folder: string, file: string): Promise<LoadRecord['loads']> {
  const text = await readFile(loadRecordPath(folder, file), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (text === null) return [];
  const record = loadRecord.safeParse(parseJson(text));
  if (!record.success) return [];
  const { loads, last } = record.data;
  if (last === null) return loads;
  const staged = await fileVersion(join(folder, last.staging));
  const now = await fileVersion(join(folder, file));
  const committed = staged === null && now !== null && now !== last.before;
  return committed ? [...loads, { load_id: last.load_id, rows: last.rows }] : loads;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Replaces the record in one step and waits until it is on the disk. */
export async function writeLoads(folder: string, file: string, record: LoadRecord): Promise<void> {
  const path = loadRecordPath(folder, file);
  const fresh = `${path}-${randomHex(4)}`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify({ ...record, loads: record.loads.slice(-rememberedLoadsMax) }));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
}
