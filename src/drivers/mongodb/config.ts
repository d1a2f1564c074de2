import { z } from 'zod';
import {
  connectTimeoutMs,
  databaseOfHost,
  poolSize,
  SSL_MODES,
  type SslMode,
  urlOrHost,
} from '../server-config.ts';

const operationTimeoutMsDefault = 60_000;
const operationTimeoutMsMax = 3_600_000;
const hostsMax = 50;
const PORT = 27_017;

export const mongodbConfig = z
  .strictObject({
    url: z
      .string()
      .optional()
      .describe(
        '`mongodb://user:password@host:27017/database`, comma-separated hosts, or `mongodb+srv://…`, instead of the keys from `host` to `replica_set`.',
      ),
    host: z
      .string()
      .min(1, 'Give a host')
      .refine((text) => !/[/,@?]/.test(text), 'Give one host name or address; several go into "url"')
      .optional()
      .describe('Name or address of the server.')
      .meta({ examples: ['db.example.com'] }),
    port: z.int().min(1).max(65_535).default(PORT).describe('Port of the server.'),
    database: z
      .string()
      .min(1, 'Give a database')
      .max(63, 'The name of a database has at most 63 characters')
      .refine((text) => !/[/\\. "$*<>:|?\0]/.test(text), 'This is not the name of a database')
      .optional()
      .describe('Database of the collections; required unless it is in `url`.')
      .meta({ examples: ['shop'] }),
    user: z
      .string()
      .min(1, 'Give a user')
      .optional()
      .describe('User to connect as, preferably one with few privileges; without it, no authentication.')
      .meta({ examples: ['etl'] }),
    password: z.string().optional().describe('Password of the user.'),
    auth_source: z
      .string()
      .min(1, 'Give a database')
      .optional()
      .describe('Authentication database; default: that in `url`, or `admin`.'),
    replica_set: z
      .string()
      .min(1, 'Give a name')
      .optional()
      .describe('Name of the replica set; its other members are discovered and used.'),
    ssl: z
      .enum(SSL_MODES)
      .optional()
      .describe(
        '`disable` (default, but `verify-full` with `mongodb+srv`), `require` encrypts but trusts any certificate, `verify-full` verifies the certificate and host name.',
      ),
    ca: z
      .string()
      .optional()
      .describe('CA certificates to trust, as PEM text; default: the system’s.')
      .meta({ examples: ['-----BEGIN CERTIFICATE-----'], 'x-multiline': true }),
    connect_timeout_ms: connectTimeoutMs,
    operation_timeout_ms: z
      .int()
      .min(1)
      .max(operationTimeoutMsMax)
      .default(operationTimeoutMsDefault)
      .describe(
        'How long a read waits for its next documents, in milliseconds; also the time limit of the database for a batch of a load, and for a query with a limit of rows.',
      ),
    pool_size: poolSize(1),
  })
  .refine(...urlOrHost)
  .refine(...databaseOfHost)
  .refine((config) => config.user === undefined || config.password !== undefined, {
    message: 'Give the password of the user',
    path: ['password'],
  });
export type MongodbConfig = z.output<typeof mongodbConfig>;

/** Where and as whom to connect, from either form of the configuration. */
export interface MongoAddress {
  /** `host` or `host:port`; one of `mongodb+srv`, which has no port. */
  readonly hosts: readonly string[];
  readonly isSrv: boolean;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Undefined: what the TXT record of `mongodb+srv` says, else `admin`. */
  readonly authSource: string | undefined;
  readonly ssl: SslMode;
  /** Further options of a URL, as they stand in it. */
  readonly options: Readonly<Record<string, string>>;
}

const NO_URL =
  'The "url" is not a MongoDB URL: mongodb://user:password@host:27017/database. Escape special characters in it ("/" as %2F), or give the password as "password"';
const MONGO_URL = /^mongodb(\+srv)?:\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^?/]*))?(?:\?(.*))?$/s;
const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(?::\d{1,5})?$/;

/** Options that neither read files nor ask others for credentials. */
const URL_OPTIONS: ReadonlyMap<string, string> = new Map(
  [
    'authMechanism',
    'directConnection',
    'journal',
    'loadBalanced',
    'maxStalenessSeconds',
    'readConcernLevel',
    'readPreference',
    'replicaSet',
    'retryReads',
    'retryWrites',
    'srvMaxHosts',
    'srvServiceName',
    'w',
    'wtimeoutMS',
  ].map((name) => [name.toLowerCase(), name]),
);
const MECHANISMS = ['DEFAULT', 'SCRAM-SHA-1', 'SCRAM-SHA-256'];

/** Reads `url` where it is given. Gives the reason, as a sentence, where it is not one that can be used. */
export function addressOf(config: MongodbConfig): MongoAddress | string {
  if (config.url !== undefined) return fromUrl(config.url, config);
  const { host = '', port, database = '', user, password, replica_set } = config;
  return {
    hosts: [`${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`],
    isSrv: false,
    database,
    user,
    password,
    authSource: config.auth_source ?? 'admin',
    ssl: config.ssl ?? 'disable',
    options: replica_set === undefined ? { directConnection: 'true' } : { replicaSet: replica_set },
  };
}

function fromUrl(url: string, config: MongodbConfig): MongoAddress | string {
  const match = MONGO_URL.exec(url);
  if (match === null) return NO_URL;
  const [, srv, login, hostList = '', path = '', query = ''] = match;
  const hosts = hostList.split(',');
  if (hosts.length > hostsMax || hosts.some((host) => !HOST.test(host)))
    return 'The "url" must name hosts, with ports or without, and commas between them';
  if (srv !== undefined && (hosts.length > 1 || /:\d+$/.test(hosts[0] ?? '')))
    return 'A "url" of mongodb+srv names one host, without a port';
  try {
    const database = config.database ?? decodeURIComponent(path);
    if (database === '') return 'Give a database, in the "url" or as "database"';
    const [user, password] = (login ?? '').split(':').map(decodeURIComponent);
    const params = new URLSearchParams(query);
    const tls = sslOf(params, srv !== undefined);
    const read = optionsOf(params);
    if (typeof tls === 'object') return tls.problem;
    if (typeof read === 'string') return read;
    const ofPath = srv === undefined ? decodeURIComponent(path) || 'admin' : undefined;
    return {
      hosts,
      isSrv: srv !== undefined,
      database,
      user: config.user ?? (user || undefined),
      password: config.password ?? password,
      authSource: config.auth_source ?? params.get('authSource') ?? ofPath,
      ssl: config.ssl ?? tls,
      options: { ...read, ...(config.replica_set === undefined ? {} : { replicaSet: config.replica_set }) },
    };
  } catch {
    return 'The "url" has a "%" that is not an escape: write it as %25';
  }
}

function sslOf(params: URLSearchParams, isSrv: boolean): SslMode | { readonly problem: string } {
  const tls = params.get('tls') ?? params.get('ssl');
  const known = SSL_MODES.find((mode) => mode === tls);
  if (known !== undefined) return known;
  if (tls === null) return isSrv ? 'verify-full' : 'disable';
  if (tls !== 'true' && tls !== 'false')
    return { problem: 'The option "tls" of the "url" takes true or false' };
  return tls === 'true' ? 'verify-full' : 'disable';
}

function optionsOf(params: URLSearchParams): Readonly<Record<string, string>> | string {
  const options: Record<string, string> = {};
  for (const [name, value] of params) {
    if (['tls', 'ssl', 'authSource', 'appName'].includes(name)) continue;
    const known = URL_OPTIONS.get(name.toLowerCase());
    // No name at all: what follows a "?" in a password.
    if (known === undefined && !/^\w+$/.test(name)) return NO_URL;
    if (known === undefined)
      return `The "url" has the option "${name.slice(0, 60)}", which is not offered; there are ${[...URL_OPTIONS.values()].join(', ')}, authSource and tls`;
    if (known === 'authMechanism' && !MECHANISMS.includes(value))
      return `The "authMechanism" of the "url" must be one of ${MECHANISMS.join(', ')}`;
    options[known] = value;
  }
  return options;
}
