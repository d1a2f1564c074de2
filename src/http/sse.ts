import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

const PING_MS = 15_000;

/** One event stream to one client. `send` resolves when the socket accepts more: a slow reader slows only its own stream. */
export interface EventStream {
  /** Aborts when the client leaves, or the server stops. */
  readonly signal: AbortSignal;
  send(event: { readonly event: string; readonly data: unknown; readonly id?: string }): Promise<void>;
  /** Encoded events (`eventText`). Many streams may share the same bytes: they are not copied. */
  sendBytes(events: Buffer): Promise<void>;
  end(): void;
}

/**
 * The stream for the OpenAPI document: a text, with the shape of its events as `contentSchema`. `name` is that schema's, `events`
 * the data of each; those in `places` carry an `id` for `Last-Event-ID`.
 */
export function eventStreamText(
  name: string,
  events: Readonly<Record<string, z.ZodType>>,
  places: readonly string[] = [],
): z.ZodType {
  const shapes = Object.entries(events).map(([event, data]) =>
    z
      .object({
        event: z.literal(event),
        ...(places.includes(event) ? { id: z.string().describe('For `Last-Event-ID`') } : {}),
        data,
      })
      .meta({ id: `${name}${event[0]?.toUpperCase()}${event.slice(1)}` }),
  );
  z.union(shapes).meta({ id: name, description: 'One event of the stream; `data` is sent as JSON' });
  return z.string().meta({
    description: 'Server-sent events',
    contentMediaType: 'text/event-stream',
    contentSchema: { $ref: `#/components/schemas/${name}` },
  });
}

/** One event as it goes over the wire; `json` has no line breaks. */
export function eventText(event: string, json: string, id?: string): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${json}\n\n`;
}

/**
 * Starts a server-sent event stream: headers at once, a comment every 15 s so that proxies keep it open. It buffers only the
 * unsent rest of the last `send`. `stopping` ends it. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
 */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  stopping?: AbortSignal,
): EventStream {
  const socket = reply.raw;
  const controller = new AbortController();
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) socket.setHeader(name, value);
  socket.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  });
  socket.write(': open\n\n');
  const ping = setInterval(() => {
    if (!socket.writableNeedDrain) socket.write(': ping\n\n');
  }, PING_MS);
  // A client that reads nothing would delay the server's stop.
  const stop = () => {
    controller.abort();
    socket.destroy();
  };
  socket.on('close', () => {
    clearInterval(ping);
    stopping?.removeEventListener('abort', stop);
    controller.abort();
  });
  if (stopping?.aborted === true) stop();
  else stopping?.addEventListener('abort', stop, { once: true });

  async function write(chunk: string | Buffer): Promise<void> {
    if (controller.signal.aborted) return;
    if (!socket.write(chunk))
      await once(socket, 'drain', { signal: controller.signal }).catch(() => undefined);
  }

  return {
    signal: controller.signal,
    send: ({ event, data, id }) => write(eventText(event, JSON.stringify(data), id)),
    sendBytes: write,
    end() {
      clearInterval(ping);
      socket.end();
    },
  };
}
