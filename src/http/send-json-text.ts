import type { FastifyReply } from 'fastify';

/** Created once: an abort without a reason creates an exception, with its stack, every time. */
const GONE = new Error('The client has left');

/**
 * The text, which the handler returns, as the JSON of its answer. To return a reply that it has sent costs more: fastify then watches
 * for the end of the answer.
 */
export function jsonText(reply: FastifyReply, text: string): string {
  reply.serializer((payload: unknown) => String(payload));
  reply.type('application/json; charset=utf-8');
  return text;
}

/**
 * Answers with unparsed JSON text from the worker host: what the handler returns. `work`'s signal aborts when the client leaves before
 * its answer; then nobody is answered and nothing is logged.
 */
export async function sendJsonText(
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<string | FastifyReply> {
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
  return jsonText(reply, text);
}
