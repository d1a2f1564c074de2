import type { ConnectContext } from '../../driver.ts';
import { httpsPlaceOf } from '../https/https-config.ts';
import { createFileAccess } from '../local/file-access.ts';
import { s3PlaceOf } from '../s3/s3-config.ts';
import { sftpPlaceOf } from '../sftp/sftp-config.ts';
import type { FileStorage } from './file-storage.ts';
import type { StorageConfig } from './storage-config.ts';

export interface StorageOptions {
  readonly config: StorageConfig;
  readonly context: ConnectContext;
  /** Extensions that a folder lists, such as `.csv`, in lower case. */
  readonly extensions: readonly string[];
}

/** The files that the `path` of a configuration leads to. The caller closes them. */
export async function openStorage({ config, context, extensions }: StorageOptions): Promise<FileStorage> {
  const bucket = s3PlaceOf(config.path);
  if (bucket !== null) {
    const { openS3Storage } = await import('../s3/s3-storage.ts');
    return openS3Storage({ config, place: bucket, context, extensions });
  }
  const server = sftpPlaceOf(config.path);
  if (server !== null) {
    const { openSftpStorage } = await import('../sftp/sftp-storage.ts');
    return openSftpStorage({ config, place: server, context, extensions });
  }
  const base = httpsPlaceOf(config.path);
  if (base !== null) {
    const { openHttpsStorage } = await import('../https/https-storage.ts');
    return openHttpsStorage({ config, base, context });
  }
  return createFileAccess({ path: config.path, context, extensions });
}
