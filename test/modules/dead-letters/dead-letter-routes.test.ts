import t from 'tap';
import { registerDeadLetterRoutes } from '../../../src/modules/dead-letters/dead-letter-routes.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';
import { newExecutor, openPlane, startedRun } from '../runs/plane.ts';

await eachStore(t, 'dead letters are stored once each, whatever they hold', async (t, store) => {
  const plane = openPlane(t, store);
  const served = await createTestApp(t, (app, { clock }) => registerDeadLetterRoutes(app, { store, clock }));
  const viewer = served.as('viewer');
  const lease = await startedRun(plane, await newExecutor(plane));
  const items = Array.from({ length: 1_200 }, (_, n) => ({
    step_id: 's',
    item: { n, text: 'a\0b' },
    code: 'X\0',
    message: 'no\0',
    ...(n === 0 && { origin: { file: 'a\0.csv', line: 3 }, column: 'text', value: 'a\0b' }),
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
  const newest = await viewer.get(`/api/runs/${lease.run_id}/dead-letters?limit=1`);
  t.match(newest.body, { result: [{ origin: null, column: null, value: null }] });
  const oldest = await viewer.get(`/api/runs/${lease.run_id}/dead-letters?limit=1&sort=id`);
  t.match(oldest.body, {
    result: [{ origin: { file: 'a\0.csv', line: 3 }, column: 'text', value: 'a\0b' }],
  });
  t.equal((await viewer.get('/api/runs/999/dead-letters')).status, 404);
  t.match((await viewer.get(`/api/runs/${lease.run_id}/dead-letters?status=replayed`)).body, { result: [] });
});

await eachStore(t, 'dead letters are discarded once, by who may, and stay to be read', async (t, store) => {
  const plane = openPlane(t, store);
  const served = await createTestApp(t, (app, { clock }) => registerDeadLetterRoutes(app, { store, clock }));
  const operator = served.as('operator');
  const lease = await startedRun(plane, await newExecutor(plane));
  const items = [1, 2, 3].map((n) => ({ step_id: 's', item: { n }, code: 'BAD', message: 'no' }));
  await plane.intake.putDeadLetters({ lease, first_seq: 1, items });
  const path = `/api/runs/${lease.run_id}/dead-letters`;
  interface Page {
    result: { id: number; status: string }[];
  }
  const open = async () => (await operator.get<Page>(`${path}?status=open`)).body.result;
  const [first] = await open();
  t.ok(first);
  t.match(await served.as('viewer').post(`${path}/discard`, {}), { status: 403 });
  t.match(await operator.post(`${path}/discard`, { ids: [] }), { status: 400 });
  t.match(await operator.post(`${path}/discard`, { ids: ['1'] }), { status: 400 });
  t.match(await operator.post('/api/runs/999/dead-letters/discard', {}), { status: 404 });
  t.match(await operator.post('/api/jobs/999/dead-letters/discard', {}), { status: 404 });
  t.match(await operator.get('/api/jobs/999/dead-letters'), { status: 404 });
  const one = await operator.post(`${path}/discard`, { ids: [first?.id, 999_999] });
  t.match(one, { status: 200, body: { discarded: 1 } });
  t.equal((await open()).length, 2);
  t.match(await operator.post(`${path}/discard`, {}), { body: { discarded: 2 } });
  t.match(await operator.post(`${path}/discard`, {}), { body: { discarded: 0 } }, 'nothing is left to do');
  t.equal((await operator.get<Page>(`${path}?status=discarded`)).body.result.length, 3);
  const audits = await store.read
    .selectFrom('audit_logs')
    .select('resource_id')
    .where('action', '=', 'dead_letter.discard')
    .execute();
  t.equal(audits.length, 2, 'what changed nothing is not written down');
});
