import { z } from 'zod';
import {
  connectTimeoutMs,
  databaseOfHost,
  hostName,
  poolSize,
  SSL_MODES,
  type SslMode,
  urlOrHost,
} from '../server-config.ts';

export const statementTimeoutMsDefault = 60_000;
export const statementTimeoutMsMax = 3_600_000;
const PORT = 3_306;

export const mysqlConfig = z
  .strictObject({
    url: z
      .string()
      .optional()
      .describe('`mysql://user:password@host:port/database?ssl=require`, instead of the five keys.'),
    host: hostName
      .optional()
      .describe('Name or address of the server.')
      .meta({ examples: ['db.example.com'] }),
    port: z.int().min(1).max(65_535).default(PORT).describe('Port of the server.'),
    database: z
      .string()
      .min(1, 'Give a database')
      .optional()
      .describe('Default database of table names; required with `host`.')
      .meta({ examples: ['warehouse'] }),
    user: z
      .string()
      .min(1, 'Give a user')
      .optional()
      .describe('User to connect as, preferably one with few privileges; default: `root`.')
      .meta({ examples: ['etl'] }),
    password: z.string().optional().describe('Password of the user.'),
    ssl: z
      .enum(SSL_MODES)
      .optional()
      .describe(
        '`disable` (default), `require` encrypts but trusts any certificate, `verify-full` verifies the certificate and host name.',
      ),
    ca: z
      .string()
      .optional()
      .describe('CA certificates to trust, as PEM text; default: the system’s.')
      .meta({ examples: ['-----BEGIN CERTIFICATE-----'] }),
    bulk_load: z
      .boolean()
      .default(true)
      .describe(
        'Load with LOAD DATA LOCAL if the server allows it (`local_infile`); otherwise with INSERT, which is slower.',
      ),
    zero_dates: z
      .enum(['null', 'text'])
      .default('null')
      .describe(
        'Dates with a zero year, month or day, such as `0000-00-00`: read as null (default) or as text; loads accept them only with `text`.',
      ),
    connect_timeout_ms: connectTimeoutMs,
    // A task that reads rows and looks others up for them has two sessions.
    pool_size: poolSize(2),
    statement_timeout_ms: z
      .int()
      .min(1)
      .max(statementTimeoutMsMax)
      .default(statementTimeoutMsDefault)
      .describe(
        'How long a read waits for its next rows, in milliseconds. With a limit of rows: for the whole statement.',
      ),
  })
  .refine(...urlOrHost)
  .refine(...databaseOfHost);
export type MysqlConfig = z.output<typeof mysqlConfig>;

/** Where and as whom to connect, from either form of the configuration. */
export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly ssl: SslMode;
}

/** Reads `url` where it is given; null when it is not one of MySQL with a database. */
export function addressOf(config: MysqlConfig): MysqlAddress | null {
  const { url, ssl } = config;
  if (url === undefined) {
    const { host: name = '', port, database = '', user = 'root', password } = config;
    return { host: name, port, database, user, password, ssl: ssl ?? 'disable' };
  }
  try {
    const parsed = new URL(url);
    const mode = parsed.searchParams.get('ssl');
    const known = SSL_MODES.find((name) => name === mode);
    const database = decodeURIComponent(parsed.pathname.slice(1));
    const isOurs = /^(mysql|mariadb):$/.test(parsed.protocol) && parsed.hostname !== '';
    if (!isOurs || database === '' || (mode !== null && known === undefined)) return null;
    return {
      host: parsed.hostname.replace(/^\[|\]$/g, ''),
      port: parsed.port === '' ? PORT : Number(parsed.port),
      database,
      user: decodeURIComponent(parsed.username) || 'root',
      password: parsed.password === '' ? undefined : decodeURIComponent(parsed.password),
      ssl: ssl ?? known ?? 'disable',
    };
  } catch {
    return null;
  }
}
