import type { FastifyReply } from 'fastify';

/**
 * Answers with JSON text as the worker host made it, unparsed. `work`'s signal aborts when the client leaves before its answer;
 * then there is nobody to tell, and nothing to log.
 */
export async function sendJsonText(
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<FastifyReply> {
  const client = new AbortController();
  const onClose = () => client.abort();
  reply.raw.once('close', onClose);
  if (reply.raw.destroyed) onClose();
  try {
    const text = await work(client.signal);
    reply.serializer((payload: unknown) => String(payload));
    return await reply.type('application/json; charset=utf-8').send(text);
  } catch (error) {
    if (!client.signal.aborted) throw error;
    return reply.hijack();
  } finally {
    reply.raw.off('close', onClose);
  }
}
