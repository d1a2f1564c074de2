import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { App } from '../../../http/server.ts';
import type { ExportFile } from '../widget-viewer.ts';

/** Answers with the file that `open` makes. */
export type SendExport = (
  reply: FastifyReply,
  open: (signal: AbortSignal) => Promise<ExportFile>,
) => Promise<FastifyReply>;

/**
 * Answers of files that are made while they are sent, as fast as the client takes them. `open`'s signal aborts when the client leaves,
 * or the server stops; a failure after the first piece ends the connection, so that a cut file never passes for a whole one. Routes
 * set `compress: false`.
 */
export function exportSender(app: App): SendExport {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort(new Error('The server is stopping')));
  return (reply, open) => sendExport(reply, open, stopping.signal);
}

async function sendExport(
  reply: FastifyReply,
  open: (signal: AbortSignal) => Promise<ExportFile>,
  stopping: AbortSignal,
): Promise<FastifyReply> {
  const client = new AbortController();
  // A client that takes nothing would hold up the server's stop.
  const stop = () => {
    client.abort(stopping.reason);
    reply.raw.destroy();
  };
  stopping.addEventListener('abort', stop, { once: true });
  reply.raw.once('close', () => {
    stopping.removeEventListener('abort', stop);
    client.abort(new Error('The client has gone'));
  });
  if (stopping.aborted || reply.raw.destroyed) stop();
  try {
    const file = await open(client.signal);
    reply.header('content-disposition', contentDisposition(file.fileName));
    reply.header('x-content-type-options', 'nosniff');
    reply.type(file.contentType);
    reply.serializer((payload: unknown) => String(payload));
    return await reply.send(Readable.from(file.chunks, { objectMode: false, highWaterMark: 1 }));
  } catch (error) {
    if (!client.signal.aborted) throw error;
    return reply.hijack();
  }
}
