// Long list: it waits for the next minute; quick: test/engine/load-changes.test.ts, test/paths/job-run-life.test.ts.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { BareExecutor, stepOf } from '../support/bare-executor.ts';
import { EXECUTOR_KEY, startFullApp } from '../support/full-app.ts';

t.setTimeout(180_000);

t.test('a load whose target has changed pauses the trigger that started its run', async (t) => {
  const app = await startFullApp(t);
  const { visitor } = await app.superadmin();
  const send = async (path: string, body: object) => {
    const answer = await visitor.post<{ id: number }>(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id;
  };
  const steps = 'steps: [{ id: read, kind: log, message: hello }]';
  await send('/api/tasks', { yaml_content: `version: 1\nname: work\n${steps}\n` });
  const yaml_content = 'version: 1\nname: nightly\ntasks: { load: { task: work } }\n';
  const template = await send('/api/job-templates', { name: 'Nightly', yaml_content });
  const job = await send(`/api/job-templates/${template}/jobs`, { name: 'nightly', connector_mapping: {} });
  const trigger = await send(`/api/jobs/${job}/triggers`, { cron: '* * * * *' });
  const shown = async () => (await visitor.get<Record<string, unknown>>(`/api/triggers/${trigger}`)).body;
  const executor = await BareExecutor.register(app.plane.httpAddress, [], EXECUTOR_KEY);
  const ending = (on_change: 'pause_trigger' | 'notify') => ({
    status: 'success' as const,
    reason: '',
    failure: null,
    steps: [
      {
        ...stepOf('write', 'load', 'success'),
        schema_changes: [{ object: 'prices', column: 'colour', from: null, to: 'string', on_change }],
      },
    ],
  });
  const manual = await send(`/api/jobs/${job}/runs`, { args: {} });
  t.ok(manual > 0);
  await executor.complete(await executor.take(), ending('pause_trigger'));
  t.match(await shown(), { state: 'active' }, 'a run that no trigger has started pauses none');

  let lease = null;
  while (lease === null) lease = await executor.take().catch(() => null);
  await executor.complete(lease, ending('pause_trigger'));
  for (let waited = 0; waited < 150 && (await shown())['state'] === 'active'; waited += 1) await delay(100);
  t.match(await shown(), {
    state: 'paused',
    paused_reason: 'schema_change',
    next_run_at: null,
    consecutive_failures: 0,
  });
});
