import { z } from 'zod';
import {
  connectTimeoutMs,
  hostName,
  poolSize,
  SSL_MODES,
  type SslMode,
  urlOrHost,
} from '../server-config.ts';

export const statementTimeoutMsDefault = 60_000;
export const statementTimeoutMsMax = 3_600_000;

export const postgresConfig = z
  .strictObject({
    url: z
      .string()
      .optional()
      .describe('`postgres://user:password@host:port/database?sslmode=require`, instead of the five keys.'),
    host: hostName
      .optional()
      .describe('Name or address of the server.')
      .meta({ examples: ['db.example.com'] }),
    port: z.int().min(1).max(65_535).default(5_432).describe('Port of the server.'),
    database: z
      .string()
      .min(1, 'Give a database')
      .optional()
      .describe('Name of the database; default: the user’s name.')
      .meta({ examples: ['warehouse'] }),
    user: z
      .string()
      .min(1, 'Give a user')
      .optional()
      .describe('Role to connect as, preferably one with few privileges.')
      .meta({ examples: ['etl'] }),
    password: z.string().optional().describe('Password of the role.'),
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
    schema: z.string().min(1, 'Give a schema').default('public').describe('Default schema of table names.'),
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
    application_name: z
      .string()
      .max(63)
      .default('headgate')
      .describe('Application name in `pg_stat_activity`.'),
  })
  .refine(...urlOrHost);
export type PostgresConfig = z.output<typeof postgresConfig>;

/** Where and as whom to connect, from either form of the configuration. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly ssl: SslMode;
}

/** Reads `url` where it is given; null when it is not one of PostgreSQL. */
export function addressOf(config: PostgresConfig): PostgresAddress | null {
  const { url, ssl } = config;
  if (url === undefined) {
    const {
      host: name = '',
      port,
      database = config.user ?? 'postgres',
      user = 'postgres',
      password,
    } = config;
    return { host: name, port, database, user, password, ssl: ssl ?? 'disable' };
  }
  try {
    const parsed = new URL(url);
    const mode = parsed.searchParams.get('sslmode');
    const known = SSL_MODES.find((name) => name === mode);
    if (
      !/^postgres(ql)?:$/.test(parsed.protocol) ||
      parsed.hostname === '' ||
      (mode !== null && known === undefined)
    )
      return null;
    const user = decodeURIComponent(parsed.username) || 'postgres';
    return {
      host: parsed.hostname.replace(/^\[|\]$/g, ''),
      port: parsed.port === '' ? 5_432 : Number(parsed.port),
      database: decodeURIComponent(parsed.pathname.slice(1)) || user,
      user,
      password: parsed.password === '' ? undefined : decodeURIComponent(parsed.password),
      ssl: ssl ?? known ?? 'disable',
    };
  } catch {
    return null;
  }
}
