import { z } from 'zod';
import { connectTimeoutMs, hostName, poolSize, SSL_MODES, urlOrHost } from '../server-config.ts';
import { addressOfUrl, type ServerAddress, type UrlForm } from '../sql/server-address.ts';

export const statementTimeoutMsDefault = 60_000;
export const statementTimeoutMsMax = 3_600_000;
const PORT = 5_432;
const USER = 'postgres';
const URL_FORM: UrlForm = {
  title: 'PostgreSQL',
  schemes: ['postgres', 'postgresql'],
  port: PORT,
  user: USER,
  sslOption: 'sslmode',
  databaseOf: (user) => user,
};

export const postgresConfig = z
  .strictObject({
    url: z
      .string()
      .optional()
      .describe(
        '`postgres://user:password@host:port/database?sslmode=require`, instead of `host` and `port`; the other keys take precedence over it.',
      ),
    host: hostName
      .optional()
      .describe('Name or address of the server.')
      .meta({ examples: ['db.example.com'] }),
    port: z.int().min(1).max(65_535).default(PORT).describe('Port of the server.'),
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
      .meta({ examples: ['-----BEGIN CERTIFICATE-----'], 'x-multiline': true }),
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

/** Where and as whom to connect, from either form of the configuration. Gives the reason where the `url` cannot be used. */
export function addressOf(config: PostgresConfig): ServerAddress | string {
  if (config.url !== undefined) return addressOfUrl(config.url, config, URL_FORM);
  const { host: name = '', port, database = config.user ?? USER, user = USER, password, ssl } = config;
  return { host: name, port, database, user, password, ssl: ssl ?? 'disable' };
}
