import t from 'tap';
import { registerDeadLetterRoutes } from '../../../src/modules/dead-letters/dead-letter-routes.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';
import { newExecutor, openPlane, startedRun } from '../runs/plane.ts';

await eachStore(t, 'dead letters are stored once each, whatever they hold', async (t, store) => {
  const plane = openPlane(t, store);
  const served = await createTestApp(t, (app) => registerDeadLetterRoutes(app, store));
  const viewer = served.as('viewer');
  const lease = await startedRun(plane, await newExecutor(plane));
  const items = Array.from({ length: 1_200 }, (_, n) => ({
    step_id: 's',
    item: { n, text: 'a\0b' },
    code: 'X\0',
    message: 'no\0',
  }));
  const put = () => plane.intake.putDeadLetters({ lease, first_seq: 1, items });
  t.same(await put(), { outcome: 'ACCEPTED', acked_seq: 1_200 });
  t.same(await put(), { outcome: 'ACCEPTED', acked_seq: 1_200 });
  const seen = new Set<number>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body }: { body: { result: { item: { n: number } }[]; next_cursor: string | null } } =
      await viewer.get(`/api/runs/${lease.run_id}/dead-letters?limit=200${query}`);
    for (const { item } of body.result) seen.add(item.n);
    cursor = body.next_cursor;
  }
  t.equal(seen.size, 1_200);
  t.equal((await viewer.get('/api/runs/999/dead-letters')).status, 404);
  t.match((await viewer.get(`/api/runs/${lease.run_id}/dead-letters?status=replayed`)).body, { result: [] });
});
