import { z } from 'zod';

/** Keys of a configuration whose `path` may lead into object storage. */
export const s3Keys = {
  s3: z
    .strictObject({
      endpoint: z
        .string()
        .max(2_000)
        .refine(
          (given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''),
          'Give a URL that begins with https:// or http://',
        )
        .optional()
        .describe('Endpoint URL of a storage other than Amazon’s.')
        .meta({ examples: ['https://minio.example.com'] }),
      region: z
        .string()
        .regex(/^[a-z0-9-]{1,64}$/, 'A region is written like "eu-central-1"')
        .default('us-east-1')
        .describe('Region of the bucket.'),
      access_key_id: z
        .string()
        .min(1, 'Give the id of an access key')
        .max(200)
        .optional()
        .describe('Access key id. Default: anonymous access to a public bucket.'),
      path_style: z
        .boolean()
        .optional()
        .describe(
          'Path-style addressing: put the bucket name in the path of the URL instead of the host name. Default: only with an `endpoint`.',
        ),
    })
    .optional()
    .describe('Connection settings for a `path` that begins with `s3://`.'),
  secret_access_key: z
    .string()
    .min(1, 'Give the secret access key')
    .max(1_000)
    .optional()
    .describe('For `s3`: the secret access key.'),
  session_token: z
    .string()
    .min(1, 'Give the session token')
    .max(10_000)
    .optional()
    .describe('For `s3`: the session token of a temporary access key.'),
};
const s3Config = z.object(s3Keys);
export type S3Config = z.output<typeof s3Config>;

export const S3_SECRETS = ['secret_access_key', 'session_token'];
/** Keys that say where it connects. */
export const S3_HOST_KEYS = ['s3'];

/** A bucket, and the key of an object or the beginning of keys. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or with a `/` at its end, where it is a folder. */
  readonly key: string;
}

/** Null where the path is no place in object storage. */
export function s3PlaceOf(path: string): S3Place | null {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(path) ?? [];
  return bucket === undefined ? null : { bucket, key };
}

/** What does not go together in a configuration. */
export function s3Problems({
  path,
  s3,
  secret_access_key,
  session_token,
}: S3Config & { readonly path: string }): readonly { readonly key: string; readonly message: string }[] {
  const place = s3PlaceOf(path);
  if (place === null) {
    if (path.startsWith('s3:'))
      return [{ key: 'path', message: 'Write the path as s3://bucket/folder/ or s3://bucket/object' }];
    const given = Object.entries({ s3, secret_access_key, session_token }).filter(
      ([, value]) => value !== undefined,
    );
    return given.map(([key]) => ({ key, message: `"${key}" is for a "path" that begins with s3://` }));
  }
  const problems: { key: string; message: string }[] = [];
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(place.bucket))
    problems.push({ key: 'path', message: `"${place.bucket}" is no name of a bucket` });
  if (place.key.split('/').some((part) => part === '.' || part === '..'))
    problems.push({ key: 'path', message: 'The path must not contain "." or ".." as a folder' });
  const hasId = s3?.access_key_id !== undefined;
  if (hasId && secret_access_key === undefined)
    problems.push({
      key: 'secret_access_key',
      message: '"secret_access_key" is required beside "access_key_id"',
    });
  if (!hasId && (secret_access_key ?? session_token) !== undefined)
    problems.push({ key: 's3', message: 'Set "access_key_id" of "s3" for the secret access key' });
  return problems;
}
