import { z } from 'zod';
import { isLoopback } from '../../../base/outbound/address.ts';

/** Keys of a configuration whose `path` may be a URL. */
export const httpsKeys = {
  https: z
    .strictObject({
      host: z
        .string()
        .min(1, 'Give the host')
        .max(300)
        .optional()
        .describe('The only host, with its port if any, that `header_value` is sent to.')
        .meta({ examples: ['data.example.com'] }),
      header: z
        .string()
        .regex(/^[!#$%&'*+.^_`|~\w-]{1,200}$/, 'This is not a valid header name')
        .default('authorization')
        .describe('Name of the header for `header_value`.'),
      files: z
        .array(z.string().min(1, 'Give the name of a file').max(2_000))
        .min(1, 'Name at least one file')
        .max(10_000, 'Name at most 10,000 files')
        .optional()
        .describe('Names of the files in a folder, relative to it, as HTTP cannot list them.'),
      manifest: z
        .string()
        .min(1, 'Give the name of a file')
        .max(2_000)
        .optional()
        .describe(
          'Instead of `files`: a file in the folder that lists them, one per line or as a JSON list.',
        ),
      timeout_seconds: z.int().min(1).max(600).default(60).describe('Response timeout, in seconds.'),
    })
    .optional()
    .describe('Connection settings for a `path` that begins with `https://`.'),
  header_value: z
    .string()
    .min(1, 'Give the value of the header')
    .max(8_000)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header must not contain line breaks or characters beyond Latin-1')
    .optional()
    .describe('For `https`: the value of the authentication header, such as `Bearer …`.'),
};
const httpsConfig = z.object(httpsKeys);
export type HttpsConfig = z.output<typeof httpsConfig>;

export const HTTPS_SECRETS = ['header_value'];
/** The secret goes to the named host alone, so that the host in `path` is none of these. */
export const HTTPS_HOST_KEYS = ['https'];

/** Null where the path is no URL. Credentials in it would be shown wherever the path is. */
export function httpsPlaceOf(path: string): URL | null {
  if (!/^https?:\/\//i.test(path)) return null;
  const url = URL.parse(path);
  return url === null || url.username !== '' || url.password !== '' || url.hash !== '' ? null : url;
}

/** What does not go together in a configuration. */
export function httpsProblems({
  path,
  https,
  header_value,
}: HttpsConfig & { readonly path: string }): readonly { readonly key: string; readonly message: string }[] {
  if (!/^https?:/i.test(path)) {
    const given = Object.entries({ https, header_value }).filter(([, value]) => value !== undefined);
    return given.map(([key]) => ({ key, message: `"${key}" is for a "path" that begins with https://` }));
  }
  const url = httpsPlaceOf(path);
  if (url === null)
    return [
      {
        key: 'path',
        message: 'Write the path as https://host/folder/ or https://host/folder/file, without a user or a #',
      },
    ];
  const problems: { key: string; message: string }[] = [];
  const isFolder = url.pathname.endsWith('/');
  if (isFolder && url.search !== '')
    problems.push({ key: 'path', message: 'The URL of a folder has no "?"' });
  if (!isFolder && (https?.files ?? https?.manifest) !== undefined)
    problems.push({
      key: 'https',
      message: '"files" and "manifest" are for a folder, whose path ends with /',
    });
  if (https?.files !== undefined && https.manifest !== undefined)
    problems.push({ key: 'https', message: 'Set either "files" or "manifest"' });
  if (header_value !== undefined && https?.host?.toLowerCase() !== url.host)
    problems.push({ key: 'https', message: `Set "host" to "${url.host}": the header is sent only there` });
  if (header_value !== undefined && url.protocol === 'http:' && !isLoopback(url.hostname))
    problems.push({ key: 'path', message: '"header_value" would be sent unencrypted: use https://' });
  return problems;
}
