import { z } from 'zod';

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}=?$/;
/** A public key as in `known_hosts` or a `.pub` file, with or without the names of hosts before it. */
const PUBLIC_KEY = /^(?:[^\s@#]\S*\s+)?([a-z0-9@.-]+)\s+([A-Za-z0-9+/]{40,}={0,2})(?:\s.*)?$/;

const hostKey = z
  .string()
  .max(5_000)
  .refine(
    (text) => pinnedKey(text) !== null,
    'Write a fingerprint like "SHA256:…", or a line such as "ssh-ed25519 AAAA…" as ssh-keyscan prints it',
  );

/** Keys of a configuration whose `path` may lead to an SFTP server. */
export const sftpKeys = {
  sftp: z
    .strictObject({
      user: z
        .string()
        .min(1, 'Give the name of a user')
        .max(200)
        .describe('Name to sign in with.')
        .meta({ examples: ['acme'] }),
      host_key: z
        .union([hostKey, z.array(hostKey).min(1, 'Give at least one host key').max(20)], {
          error: ({ input }) =>
            input === undefined
              ? 'Give the host key of the server, which its owner knows; "ssh-keyscan HOST" prints what it shows'
              : undefined,
        })
        .describe(
          'Accepted host keys of the server, one or several: fingerprints (`SHA256:…`), or lines as printed by `ssh-keyscan`.',
        )
        .meta({ examples: ['SHA256:uNiVztksCsDhcc0u9e8BrVXT1Y6pVpD3l6Vd3cWJp9A'] }),
      timeout_seconds: z
        .int()
        .min(1)
        .max(600)
        .default(30)
        .describe('Timeout of a response; if the server stalls longer, the read or load fails.'),
    })
    .optional()
    .describe('Connection settings for a `path` that begins with `sftp://`.'),
  password: z
    .string()
    .min(1, 'Give the password')
    .max(1_000)
    .optional()
    .describe('For `sftp`: the password.'),
  private_key: z
    .string()
    .min(1, 'Give the private key')
    .max(50_000)
    .optional()
    .describe('For `sftp`: the private key instead of a password, as text (OpenSSH or PEM).')
    .meta({ 'x-multiline': true }),
  passphrase: z
    .string()
    .min(1, 'Give the passphrase')
    .max(1_000)
    .optional()
    .describe('For `sftp`: the passphrase of an encrypted private key.'),
};
const sftpConfig = z.object(sftpKeys);
export type SftpConfig = z.output<typeof sftpConfig>;

export const SFTP_SECRETS = ['password', 'private_key', 'passphrase'];
/** Secrets go only to a server that shows the pinned key, so that the host in `path` is none of these. */
export const SFTP_HOST_KEYS = ['sftp'];

export interface PinnedKey {
  /** SHA-256 in Base64, or the key itself. */
  readonly fingerprint: string | null;
  readonly key: Buffer | null;
  /** Its algorithm, such as `ssh-ed25519`; null where only the fingerprint is known. */
  readonly type: string | null;
}

export function pinnedKey(text: string): PinnedKey | null {
  const line = text.trim();
  if (FINGERPRINT.test(line)) {
    const fingerprint = line.slice('SHA256:'.length).replace(/=$/, '');
    return { fingerprint, key: null, type: null };
  }
  const [, type, base64] = PUBLIC_KEY.exec(line) ?? [];
  if (type === undefined || base64 === undefined) return null;
  return { fingerprint: null, key: Buffer.from(base64, 'base64'), type };
}

export interface SftpPlace {
  readonly host: string;
  readonly port: number;
  /** Absolute, or from the user's own folder on; with a `/` at its end where it is a folder. */
  readonly path: string;
}

/** Null where the path is no place of an SFTP server. */
export function sftpPlaceOf(path: string): SftpPlace | null {
  const [, authority, rest = '/'] = /^sftp:\/\/([^/]+)(\/.*)?$/s.exec(path) ?? [];
  const url = authority === undefined ? null : URL.parse(`http://${authority}`);
  // A user in the address would be shown wherever the path is.
  if (url === null || url.username !== '' || url.password !== '') return null;
  const { hostname } = url;
  const port = Number(/:(\d+)$/.exec(authority ?? '')?.[1] ?? 22);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port, path: rest.startsWith('/~/') ? `./${rest.slice(3)}` : rest };
}

/** What does not go together in a configuration. */
export function sftpProblems({
  path,
  sftp,
  ...secrets
}: SftpConfig & { readonly path: string }): readonly { readonly key: string; readonly message: string }[] {
  const { password, private_key, passphrase } = secrets;
  if (!path.startsWith('sftp:')) {
    const given = Object.entries({ sftp, password, private_key, passphrase }).filter(
      ([, value]) => value !== undefined,
    );
    return given.map(([key]) => ({ key, message: `"${key}" is for a "path" that begins with sftp://` }));
  }
  const place = sftpPlaceOf(path);
  if (place === null)
    return [
      {
        key: 'path',
        message: 'Write the path as sftp://host/folder/ or sftp://host/folder/file, with the user in "sftp"',
      },
    ];
  const problems: { key: string; message: string }[] = [];
  if (place.path.split('/').includes('..') || place.path.includes('\0'))
    problems.push({ key: 'path', message: 'The path must not contain ".." as a folder' });
  if (sftp === undefined)
    problems.push({ key: 'sftp', message: '"sftp" is required, with "user" and "host_key"' });
  if ((password === undefined) === (private_key === undefined))
    problems.push({ key: 'password', message: 'Set either "password" or "private_key"' });
  if (passphrase !== undefined && private_key === undefined)
    problems.push({ key: 'passphrase', message: '"passphrase" is for a "private_key"' });
  return problems;
}
