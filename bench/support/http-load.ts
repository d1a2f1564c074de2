/** A process that sends the same request over and over; its parent is `loadHttp`. */
import { Pool } from 'undici';

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
  const client = new Pool(url, { connections });
  let begun = 0;
  let bytes = 0;
  const lane = async () => {
    for (let index = begun++; index < requests; index = begun++) {
      const address = index % addresses;
      const answer = await client.request({
        method,
        path: paths[index % paths.length] ?? '/',
        headers: { ...headers, 'x-forwarded-for': `10.0.${address >> 8}.${address & 255}` },
        body: method === 'GET' ? null : body.replaceAll('{n}', `${process.pid}-${index}`),
      });
      const read = await answer.body.arrayBuffer();
      if (answer.statusCode !== status)
        throw new Error(`answer ${answer.statusCode}: ${Buffer.from(read).toString()}`);
      bytes = read.byteLength;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  const seconds = (performance.now() - began) / 1_000;
  await client.close();
  process.send?.({ perSecond: requests / seconds, bytes } satisfies HttpLoadAnswer);
  process.disconnect();
}

process.once('message', (load: HttpLoad) => void send(load));
