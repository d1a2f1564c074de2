import t from 'tap';
import { z } from 'zod';
import { anybody } from '../../src/http/access.ts';
import { operation } from '../../src/http/operation.ts';
import { createTestApp } from '../support/app.ts';

const body = z.strictObject({
  events: z.union([z.literal('*'), z.array(z.enum(['run.failing', 'run.recovered'])).min(1)]),
});

t.test('a value that no alternative takes is told by the alternative that it comes nearest to', async (t) => {
  const { anonymous } = await createTestApp(t, (app) => {
    const spec = { id: 'probeUnion', tag: 'Health', summary: 'Takes a union', access: anybody };
    app.post('/probe', operation({ ...spec, body, answers: { 200: body } }), async (request) => request.body);
  });
  const problems = async (sent: object) =>
    (await anonymous.post<{ details?: object[] }>('/probe', sent)).body.details;
  t.equal((await anonymous.post('/probe', { events: '*' })).status, 200);
  t.same(await problems({ events: ['run.failing', 'run.fails'] }), [
    {
      path: 'events.1',
      message: '"events.1" must be one of run.failing, run.recovered, not "run.fails"',
    },
  ]);
  t.same(await problems({ events: 7 }), [
    {
      path: 'events',
      message: '"events" must be "*" or a list, not a number',
    },
  ]);
});
