import { SSL_MODES, type SslMode } from '../server-config.ts';

/** Where and as whom to connect to a database server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly ssl: SslMode;
}

/** Keys of a configuration beside its `url`, over which they take precedence. */
interface BesideUrl {
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly ssl?: SslMode | undefined;
}

/** What the URLs of a type look like. */
export interface UrlForm {
  /** In messages: `PostgreSQL`. */
  readonly title: string;
  /** The first one stands in messages. */
  readonly schemes: readonly string[];
  readonly port: number;
  readonly user: string;
  /** The only option, which takes a mode of encryption. */
  readonly sslOption: string;
  /** The database of a URL without one; null where it must name one. */
  readonly databaseOf: ((user: string) => string) | null;
}

/** Reads a URL. Gives the reason, as a sentence without any part of a password, where it is not one that can be used. */
export function addressOfUrl(url: string, beside: BesideUrl, form: UrlForm): ServerAddress | string {
  const { title, schemes, port, sslOption, databaseOf } = form;
  const parsed = URL.parse(url);
  const isOurs = parsed !== null && schemes.includes(parsed.protocol.slice(0, -1)) && parsed.hostname !== '';
  // An @ after the host: what comes before it was meant as a password.
  if (!isOurs || `${parsed.pathname}${parsed.search}${parsed.hash}`.includes('@'))
    return `The "url" is not a ${title} URL: ${schemes[0]}://user:password@host:${port}/database. Escape special characters in it ("/" as %2F), or give the password as "password"`;
  const problem = optionProblem(parsed.searchParams, sslOption);
  if (problem !== null) return problem;
  try {
    const user = beside.user ?? (decodeURIComponent(parsed.username) || form.user);
    const database =
      beside.database ?? (decodeURIComponent(parsed.pathname.slice(1)) || databaseOf?.(user) || '');
    if (database === '') return 'Give a database, in the "url" or as "database"';
    const mode = SSL_MODES.find((name) => name === parsed.searchParams.get(sslOption));
    return {
      host: parsed.hostname.replace(/^\[|\]$/g, ''),
      port: parsed.port === '' ? port : Number(parsed.port),
      database,
      user,
      password: beside.password ?? (decodeURIComponent(parsed.password) || undefined),
      ssl: beside.ssl ?? mode ?? 'disable',
    };
  } catch {
    return 'The "url" has a "%" that is not an escape: write it as %25';
  }
}

/** An option that did nothing could be one that was to encrypt the connection. */
function optionProblem(params: URLSearchParams, sslOption: string): string | null {
  for (const [name, value] of params) {
    if (name !== sslOption)
      return `The "url" has the option "${name.slice(0, 60)}", which is not offered; there is ${sslOption} (${SSL_MODES.join(', ')})`;
    if (!SSL_MODES.some((mode) => mode === value))
      return `The option "${sslOption}" of the "url" takes ${SSL_MODES.join(', ')}, not "${value.slice(0, 60)}"`;
  }
  return null;
}
