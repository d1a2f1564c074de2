import type { OpenedFile } from '../storage/file-storage.ts';
import { rangeReads } from '../storage/range-reader.ts';
import type { S3Bucket, S3Head } from './s3-bucket.ts';

/** An object as a file: every range is of the contents that were there when it was opened. */
export function openedObject(bucket: S3Bucket, key: string, name: string, head: S3Head): OpenedFile {
  const { sizeBytes, etag } = head;
  const read = rangeReads(sizeBytes, (from, length) => bucket.range(key, name, from, length, etag));
  return {
    name,
    path: null,
    handle: { read, close: async () => undefined },
    sizeBytes,
    version: `${etag}:${sizeBytes}`,
  };
}
