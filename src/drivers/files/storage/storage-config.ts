import { z } from 'zod';
import {
  HTTPS_HOST_KEYS,
  HTTPS_SECRETS,
  type HttpsConfig,
  httpsKeys,
  httpsProblems,
} from '../https/https-config.ts';
import { S3_HOST_KEYS, S3_SECRETS, type S3Config, s3Keys, s3Problems } from '../s3/s3-config.ts';
import {
  SFTP_HOST_KEYS,
  SFTP_SECRETS,
  type SftpConfig,
  sftpKeys,
  sftpProblems,
} from '../sftp/sftp-config.ts';

/** The `path` of a configuration, to a kind of files such as `A CSV file`. */
export function storagePath(kind: string, example: string) {
  return z
    .string()
    .min(1, 'Give the path of a file or of a folder')
    .describe(
      `${kind} or a folder of them: an absolute path, one relative to the first allowed folder, or \`s3://bucket/folder/\` and \`s3://bucket/object\` in object storage, or \`sftp://host/folder/\` and \`sftp://host/file\` on an SFTP server, or \`https://host/folder/\` and \`https://host/file\` on a web server, to read.`,
    )
    .meta({ examples: [example] });
}

/** Keys of a configuration that say how its `path` is reached. */
export const STORAGE_KEYS = {
  ...onlyFor(['s3://'], s3Keys),
  ...onlyFor(['sftp://'], sftpKeys),
  ...onlyFor(['https://', 'http://'], httpsKeys),
};
export type StorageConfig = S3Config & SftpConfig & HttpsConfig & { readonly path: string };

export const STORAGE_SECRETS = [...S3_SECRETS, ...SFTP_SECRETS, ...HTTPS_SECRETS];
/** Keys that say where it connects. */
export const STORAGE_HOST_KEYS = [...S3_HOST_KEYS, ...SFTP_HOST_KEYS, ...HTTPS_HOST_KEYS];

/** The schema says which paths the keys are for, so that a form leaves them out elsewhere. */
function onlyFor<Keys extends Readonly<Record<string, z.ZodType>>>(
  starts: readonly string[],
  keys: Keys,
): Keys {
  const entries = Object.entries(keys).map(([key, schema]) => [key, schema.meta({ 'x-for-path': starts })]);
  return Object.fromEntries(entries) as Keys;
}

/** For `superRefine` of a configuration with `path` and the keys of storages. */
export function refineStorage(config: StorageConfig, context: z.core.$RefinementCtx): void {
  for (const { key, message } of [...s3Problems(config), ...sftpProblems(config), ...httpsProblems(config)])
    context.addIssue({ code: 'custom', path: [key], message });
}
