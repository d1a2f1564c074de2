import { z } from 'zod';
import {
  connectTimeoutMs,
  databaseOfHost,
  hostName,
  poolSize,
  SSL_MODES,
  urlOrHost,
} from '../server-config.ts';
import { addressOfUrl, type ServerAddress, type UrlForm } from '../sql/server-address.ts';

export const statementTimeoutMsDefault = 60_000;
export const statementTimeoutMsMax = 3_600_000;
const PORT = 3_306;
const USER = 'root';
const URL_FORM: UrlForm = {
  title: 'MySQL',
  schemes: ['mysql', 'mariadb'],
  port: PORT,
  user: USER,
  sslOption: 'ssl',
  databaseOf: null,
};

export const mysqlConfig = z
  .strictObject({
    url: z
      .string()
      .optional()
      .describe(
        '`mysql://user:password@host:port/database?ssl=require`, instead of `host` and `port`; the other keys take precedence over it.',
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
      .meta({ examples: ['-----BEGIN CERTIFICATE-----'], 'x-multiline': true }),
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

/** Where and as whom to connect, from either form of the configuration. Gives the reason where the `url` cannot be used. */
export function addressOf(config: MysqlConfig): ServerAddress | string {
  if (config.url !== undefined) return addressOfUrl(config.url, config, URL_FORM);
  const { host: name = '', port, database = '', user = USER, password, ssl } = config;
  return { host: name, port, database, user, password, ssl: ssl ?? 'disable' };
}
