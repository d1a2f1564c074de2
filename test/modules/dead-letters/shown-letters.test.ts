import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { type Answer, type Letter, letterOf, openScene } from './replay-scene.ts';

interface Reason {
  job_id: number | null;
  run_id: number | null;
  code: string;
  open: number;
  message: string;
}

await eachStore(t, 'letters of every run are listed by reason, and settled by reason', async (t, store) => {
  const scene = await openScene(t, store);
  const { operator, failedRun, served } = scene;
  const list = async (query = '') =>
    (
      await operator.get<{ result: (Letter & { run_task_name: string; code: string })[] }>(
        `/api/dead-letters${query}`,
      )
    ).body.result;
  const reasons = async (query = '') =>
    (await operator.get<{ result: Reason[] }>(`/api/dead-letters/reasons${query}`)).body.result;
  t.same(await list(), []);
  t.same(await reasons(), []);
  const missing = { code: 'CHECK_FAILED', message: 'email is missing' };
  const first = await failedRun([letterOf(1), letterOf(2, { message: 'still no' }), letterOf(3, missing)]);
  const second = await failedRun([letterOf(4, missing)]);

  t.same(
    (await list()).map(({ item }) => item),
    [4, 3, 2, 1].map((n) => ({ n })),
    'newest first',
  );
  t.match((await list(`?run_id=${first}&code=CHECK_FAILED`))[0], {
    item: { n: 3 },
    job_name: null,
    run_task_name: 'load',
  });
  const [newest] = await list();
  t.same((await operator.get(`/api/dead-letters/${newest?.id}`)).body, newest, 'one is answered as listed');
  t.match(await operator.get('/api/dead-letters/999'), {
    status: 404,
    body: { message: /dead letter "999"/ },
  });
  t.match(await served.anonymous.get(`/api/dead-letters/${newest?.id}`), { status: 401 });
  t.same(await list('?job_id=1'), []);
  t.same(await list('?status=replayed'), []);
  t.same(await list('?label=team:sales'), [], 'none has a job');
  t.same(await reasons('?label=team'), []);
  t.match(await reasons(), [
    { job_id: null, run_id: first, code: 'CAST_ERROR', open: 2, message: 'still no' },
    { job_id: null, run_id: second, code: 'CHECK_FAILED', open: 1 },
    { job_id: null, run_id: first, code: 'CHECK_FAILED', open: 1 },
  ]);
  t.equal((await reasons(`?run_id=${second}`)).length, 1);
  t.match(await operator.get('/api/dead-letters?code='), { status: 400 });
  t.match(await served.anonymous.get('/api/dead-letters'), { status: 401 });

  t.match(await scene.replay(first, { code: 'CAST_ERROR', ids: [1] }), { status: 400 });
  t.match(await scene.replay(first, { code: 'OTHER' }), { status: 409 });
  const { body } = await scene.replay(first, { code: 'CAST_ERROR' });
  t.match(body satisfies Answer, { replaying: 2, left: 0 });
  t.match(await list(`?run_id=${first}&status=open`), [{ code: 'CHECK_FAILED' }]);
  const discard = `/api/runs/${second}/dead-letters/discard`;
  t.match(await operator.post(discard, { code: 'CAST_ERROR' }), { body: { discarded: 0 } });
  t.match(await operator.post(discard, { code: 'CHECK_FAILED' }), { body: { discarded: 1 } });
  t.match(await reasons(), [{ run_id: first, code: 'CHECK_FAILED', open: 1 }]);
});
