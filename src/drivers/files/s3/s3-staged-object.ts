import { sha256 } from '../../../base/ids.ts';
import { doneBefore } from '../storage/done-before.ts';
import type { StagedFile, StageOptions } from '../storage/file-storage.ts';
import { copyInto, openSpool, spooledWrites } from '../storage/spool-file.ts';
import { ObjectUpload, type UploadPlace } from './object-upload.ts';
import { openedObject } from './opened-object.ts';

export interface StagedObjectOptions extends StageOptions, UploadPlace {}

/**
 * The next contents of an object. New contents go out in parts while they are written; those that are appended to are copied to a file of
 * this machine first, as no object can be continued.
 */
export async function openStagedObject({
  bucket,
  key,
  name,
  loadId,
  mode,
}: StagedObjectOptions): Promise<StagedFile> {
  const load = sha256(loadId);
  const before = await bucket.head(key, name);
  const upload = await ObjectUpload.begin({ bucket, key, name }, load, before);
  if (upload.rowsBefore !== null) return doneBefore(upload.rowsBefore);
  const continues = mode === 'append' && before !== null && before.sizeBytes > 0;
  if (!continues)
    return {
      alreadyDone: null,
      handle: null,
      continues,
      write: (bytes) => upload.write(typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes),
      cut: () => undefined,
      commit: (rows) => upload.commit(rows, mode === 'append' ? null : undefined),
      abort: () => upload.abort(),
    };
  const file = await openSpool(name);
  try {
    await copyInto(file, openedObject(bucket, key, name, before).handle, before.sizeBytes);
  } catch (error) {
    await file.close();
    throw error;
  }
  const spooled = spooledWrites(file, name, before.sizeBytes);
  return {
    alreadyDone: null,
    handle: file,
    continues,
    write: spooled.write,
    cut: spooled.cut,
    commit: async (rows) => {
      await copyInto({ write: (bytes) => upload.write(Buffer.from(bytes)) }, file, spooled.sizeBytes());
      await upload.commit(rows, before.etag);
      await file.close();
    },
    abort: async () => {
      await upload.abort();
      await file.close().catch(() => undefined);
    },
  };
}
