/** A process that sends the same request over and over; its parent is `loadHttp`. */
import { HttpClient } from './http-client.ts';

/** Requests to be sent by a process of their own, a request at a time on each of its kept connections. */
export interface HttpLoad {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** In turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Of a post; `{n}` in it stands for a text that no other request has. */
  readonly body: string;
  readonly connections: number;
  readonly requests: number;
  /** How many different addresses appear in `X-Forwarded-For`, in turn. */
  readonly addresses: number;
  /** Any other ends the load with an error. */
  readonly status: number;
}

export interface HttpLoadAnswer {
  readonly perSecond: number;
  /** Of the last answer's body as it came. */
  readonly bytes: number;
}

async function send({
  method,
  url,
  paths,
  headers,
  body,
  connections,
  requests,
  addresses,
  status,
}: HttpLoad) {
  const server = new URL(url);
  const clients = Array.from({ length: connections }, () => new HttpClient(server));
  const fixed = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const shared = `host: ${server.host}\r\n${fixed.join('')}`;
  let begun = 0;
  let bytes = 0;
  const lane = async (client: HttpClient) => {
    for (let index = begun++; index < requests; index = begun++) {
      const address = index % addresses;
      const line = `${method} ${paths[index % paths.length] ?? '/'} HTTP/1.1\r\n`;
      const head = `${line}${shared}x-forwarded-for: 10.0.${address >> 8}.${address & 255}\r\n`;
      const own = method === 'GET' ? null : body.replaceAll('{n}', `${process.pid}-${index}`);
      const answer = await client.send(head, own);
      if (answer.status !== status) throw new Error(`answer ${answer.status}: ${answer.body.toString()}`);
      bytes = answer.body.byteLength;
    }
  };
  const began = performance.now();
  await Promise.all(clients.map(lane));
  const seconds = (performance.now() - began) / 1_000;
  for (const client of clients) client.close();
  process.send?.({ perSecond: requests / seconds, bytes } satisfies HttpLoadAnswer);
  process.disconnect();
}

process.once('message', (load: HttpLoad) => void send(load));
