import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';

const PING_MS = 15_000;

/** One event stream to one client. `send` resolves when the socket takes more: a slow reader slows only its own stream. */
export interface EventStream {
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  send(event: { readonly event: string; readonly data: unknown; readonly id?: string }): Promise<void>;
  end(): void;
}

/**
 * Starts a server-sent event stream: headers at once, a comment every 15 s so that proxies keep it open.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
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
  const ping = setInterval(() => socket.write(': ping\n\n'), PING_MS);
  socket.on('close', () => {
    clearInterval(ping);
    controller.abort();
  });
  return {
    signal: controller.signal,
    async send({ event, data, id }) {
      if (controller.signal.aborted) return;
      const head = id === undefined ? '' : `id: ${id}\n`;
      const room = socket.write(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      if (!room) await once(socket, 'drain', { signal: controller.signal }).catch(() => undefined);
    },
    end() {
      clearInterval(ping);
      socket.end();
    },
  };
}
