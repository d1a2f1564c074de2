/** A Fastify server with one route that answers any post with the same text; its parent sends that text, and gets the address. */
import Fastify from 'fastify';

export interface BareAnswer {
  readonly url: string;
}

process.once('message', async (text: string) => {
  const app = Fastify();
  app.post('*', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ url } satisfies BareAnswer);
});
// Whoever loses its parent ends: nobody would stop it.
process.on('disconnect', () => process.exit());
