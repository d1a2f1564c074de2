import type { FastifyReply } from 'fastify';

/** Made once: an abort without a reason makes an exception, with its stack, for each. */
const GONE = new Error('The client has gone');

/**
 * Answers with JSON text as the worker host made it, unparsed. `work`'s signal aborts when the client leaves before its answer;
 * then there is nobody to tell, and nothing to log.
 */
export async function sendJsonText(
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<FastifyReply> {
  const client = new AbortController();
  const onClose = () => client.abort(GONE);
  reply.raw.once('close', onClose);
  if (reply.raw.destroyed) onClose();
  let text: string;
  try {
    text = await work(client.signal);
  } catch (error) {
    if (!client.signal.aborted) throw error;
    return reply.hijack();
  } finally {
    reply.raw.off('close', onClose);
  }
  reply.serializer((payload: unknown) => String(payload));
  return reply.type('application/json; charset=utf-8').send(text);
}
