import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { ConnectorError } from './driver.ts';

const connectTimeoutMsMax = 60_000;

/** How a connection to a database is encrypted. */
export const SSL_MODES = ['disable', 'require', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** Name or address of a server, of one that is reached through no socket of the file system. */
export const hostName = z
  .string()
  .min(1, 'Give a host')
  .refine((text) => !text.includes('/'), 'Enter a host name or an address, not a path');

/** Configuration key `connect_timeout_ms` of a driver whose server is reached over the network. */
export const connectTimeoutMs = z
  .int()
  .min(1)
  .max(connectTimeoutMsMax)
  .optional()
  .describe('Connection timeout, in milliseconds; default: the server’s own limit.');

/** Configuration key `pool_size` of a database whose sessions are kept for the next call, with the least that tasks can do with. */
export function poolSize(least: number) {
  return z
    .int()
    .min(least)
    .max(100)
    .default(8)
    .describe('Maximum concurrent connections to a server; further calls wait.');
}

interface Place {
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  readonly database?: string | undefined;
}

/** What a configuration of a database on a server must hold to, as arguments of `refine`. */
export const urlOrHost = [
  ({ url, host }: Place) => (url === undefined) !== (host === undefined),
  { message: 'Give either "url" or "host"', path: ['host'] as string[] },
] as const;

/** As `urlOrHost`, of a server where no database is the user's own. */
export const databaseOfHost = [
  ({ host, database }: Place) => host === undefined || database !== undefined,
  { message: 'Give a database', path: ['database'] as string[] },
] as const;

/**
 * The certificates of the key `ca`, for a connection that is encrypted. Throws `CONFIG` for a text that holds none, such as the path of
 * a file, which would be taken as a list of none.
 */
export function trustedCertificates(ca: string): string {
  try {
    new X509Certificate(ca);
    return ca;
  } catch (cause) {
    const message = `The "ca" must be certificates as PEM text ("-----BEGIN CERTIFICATE-----…"); to read them from a file, write "\${file:/path/to/ca.pem}"`;
    throw new ConnectorError('CONFIG', message, { cause });
  }
}

/** What to do about the certificate of a server: of `title`, as in `PostgreSQL`. `isOfAnother`: it is for other host names. */
export function certificateWords(title: string, isOfAnother: boolean): string {
  return isOfAnother
    ? `The certificate of ${title} is not for this host name; check "host" or "url", and see "ssl"`
    : `The certificate of ${title} is not trusted; see "ssl" and "ca"`;
}

/** Code of the error for a certificate of other host names. */
export const OTHER_HOST_CODE = 'ERR_TLS_CERT_ALTNAME_INVALID';
