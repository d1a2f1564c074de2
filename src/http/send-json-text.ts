import type { FastifyReply } from 'fastify';

/** Created once: an abort without a reason creates an exception, with its stack, every time. */
const GONE = new Error('The client has left');

/**
 * Answers with unparsed JSON text from the worker host. `work`'s signal aborts when the client leaves before its answer; then
 * nobody is answered and nothing is logged.
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
