import t from 'tap';
import { z } from 'zod';
import { anybody } from '../../src/http/access.ts';
import { operation } from '../../src/http/operation.ts';
import { createTestApp } from './app.ts';

const answers = { 200: z.object({ id: z.number().int() }), 204: z.null() };
const spec = { tag: 'Probe', summary: 'Probe', access: anybody, answers } as const;

t.test('an answer that the OpenAPI document does not declare is found', async (t) => {
  const { openapi, anonymous } = await createTestApp(t, (app) => {
    app.get('/api/right', operation({ ...spec, id: 'right' }), async () => ({ id: 7 }));
    app.get('/api/status', operation({ ...spec, id: 'status' }), async (_request, reply) =>
      (reply as unknown as { code(status: number): { send(body: object): object } })
        .code(202)
        .send({ id: 7 }),
    );
    app.get('/api/field', operation({ ...spec, id: 'field' }), async (_request, reply) =>
      reply
        .type('application/json')
        .serializer(JSON.stringify)
        .send({ id: 7, other: 'x' } as { id: number }),
    );
  });
  await anonymous.get('/api/right');
  await anonymous.get('/api/nowhere');
  t.same(openapi.breaches, []);
  await anonymous.get('/api/status');
  await anonymous.get('/api/field');
  t.match(openapi.breaches, [/^GET \/api\/status 202: the status/, /^GET \/api\/field 200: .*"other"/]);
  // What a test of ours would be failed for, when it ends.
  openapi.breaches.length = 0;
});
