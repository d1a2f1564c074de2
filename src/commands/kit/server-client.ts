import { type Client, createClient, REQUEST_MS_MAX } from '../../client/create-client.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** Options of every command that talks to a server; commander fills them from SVC_SERVER and SVC_TOKEN. */
export interface ServerOptions {
  readonly server: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** The client of a command; `timeoutMs` is for calls that take longer than most. Throws `CommandError` where the address is none. */
export function clientOf({ server, token }: ServerOptions, timeoutMs: number = REQUEST_MS_MAX): Client {
  const wrong = wrongAddress(server);
  if (wrong !== null) throw new CommandError(EXIT.usage, wrong);
  return createClient({ server, token, timeoutMs });
}

function wrongAddress(server: string): string | null {
  const plain = 'Give --server as http://host:port or https://host';
  const url = URL.parse(server);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return `The address "${server}" is not a URL of HTTP. ${plain}`;
  if (url.username !== '' || url.password !== '')
    return `The address must hold no credentials. ${plain}, and the key by --token or SVC_TOKEN`;
  if (url.search !== '' || url.hash !== '') return `The address "${server}" has more than a path. ${plain}`;
  return null;
}
