import { type Client, createClient, REQUEST_MS_MAX } from '../../client/create-client.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { readSavedLogin } from './saved-login.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:8080';

/**
 * Options of every command that talks to a server; commander fills them from SVC_SERVER and SVC_TOKEN. What is left out comes from
 * `headgate login`; its key goes to its server alone.
 */
export interface ServerOptions {
  readonly server?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** The address of the server that a command talks to. Throws `CommandError` where it is none. */
export function serverOf(options: ServerOptions): string {
  const server = options.server ?? readSavedLogin()?.server ?? DEFAULT_SERVER;
  const wrong = wrongAddress(server);
  if (wrong !== null) throw new CommandError(EXIT.usage, wrong);
  return server.replace(/\/+$/, '');
}

/** The client of a command; `timeoutMs` is for calls that take longer than most. Throws `CommandError` where the address is none. */
export function clientOf(options: ServerOptions, timeoutMs: number = REQUEST_MS_MAX): Client {
  const server = serverOf(options);
  const token = options.token ?? keptToken(server);
  return createClient({ server, token, timeoutMs });
}

function keptToken(server: string): string | undefined {
  const saved = readSavedLogin();
  return saved !== null && saved.server === server ? saved.token : undefined;
}

function wrongAddress(server: string): string | null {
  const plain = 'Write --server as http://host:port or https://host';
  const url = URL.parse(server);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return `The address "${server}" is not an HTTP URL. ${plain}`;
  if (url.username !== '' || url.password !== '')
    return `The address must not contain credentials. ${plain}, and pass the key with --token or SVC_TOKEN`;
  if (url.search !== '' || url.hash !== '') return `The address "${server}" has more than a path. ${plain}`;
  return null;
}
