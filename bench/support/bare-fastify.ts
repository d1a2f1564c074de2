/**
 * A Fastify server with one route: it answers any post with the same text, or any get with one record that it selects from a SQLite
 * file. Its parent sends what it answers with, and gets the address.
 */
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

export type BareRoute =
  | { readonly text: string }
  | { readonly file: string; readonly select: string; readonly ids: number };

export interface BareAnswer {
  readonly url: string;
}

process.once('message', async (route: BareRoute) => {
  const app = Fastify();
  if ('text' in route)
    app.post('*', async (_request, reply) => reply.type('application/json; charset=utf-8').send(route.text));
  else {
    const statement = new DatabaseSync(route.file, { readOnly: true }).prepare(route.select);
    let asked = 0;
    app.get('*', async () => statement.get((asked++ % route.ids) + 1));
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ url } satisfies BareAnswer);
});
// Whoever loses its parent ends: nobody would stop it.
process.on('disconnect', () => process.exit());
