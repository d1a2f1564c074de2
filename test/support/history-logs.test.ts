import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { LoadRecord } from '../../bench/support/load-record.ts';
import { checkLogs } from './history-logs.ts';
import { checkMetrics, countLocaldbPoints } from './history-metrics.ts';
import { contentsOf, finds, scene } from './history-scene.ts';
import { eachStore } from './stores.ts';

await eachStore(t, 'I1: a lost, a doubled and a changed line are found', async (t, store) => {
  const lost = await scene(t, store);
  const { runId } = lost;
  await finds(
    t,
    store,
    () => contentsOf(lost),
    [`delete from run_logs where run_id = ${runId} and seq = 7`],
    /line 8 comes after 6/,
  );
  await t.rejects(checkLogs(store.logs), { message: /19 lines from 1 to 20, acknowledged 20/ });

  const cut = await scene(t, store);
  const after = `run_id = ${cut.runId} and seq > 15`;
  await finds(
    t,
    store,
    () => contentsOf(cut),
    [`delete from run_logs where ${after}`],
    /acknowledged to 20, stored to 15/,
  );

  const changed = await scene(t, store);
  const where = `run_id = ${changed.runId} and seq = 3`;
  await finds(
    t,
    store,
    () => contentsOf(changed),
    [`update run_logs set message = 'x' where ${where}`],
    /line 3: is not what was sent/,
  );

  const extra = await scene(t, store);
  const row = `select run_id, attempt, 21, at, level, step_id, message, fields_json, day`;
  const insert = `insert into run_logs (run_id, attempt, seq, at, level, step_id, message, fields_json, day)
    ${row} from run_logs where run_id = ${extra.runId} and seq = 20`;
  await finds(t, store, () => contentsOf(extra), [insert], /stored to 21, sent to 20/);
});

t.test('a batch of metrics that was lost, counted twice or never sent is found', async (t) => {
  const path = join(t.testdir(), 'metrics.db');
  const database = new DatabaseSync(path);
  database.exec(
    `create table points (run_id, attempt, batch_seq, name); insert into points values (1, 1, 1, 'load.a'), (1, 1, 1, 'load.b')`,
  );
  const place = { run: 1, attempt: 1, epoch: 1, at: 1, batch: 1, points: 2 };
  const records: LoadRecord[] = [
    { ...place, kind: 'metrics_sending' },
    { ...place, kind: 'metrics_acked' },
  ];
  const check = () => checkMetrics(records, countLocaldbPoints(path));
  t.doesNotThrow(check);
  database.exec(`insert into points values (1, 1, 1, 'load.b')`);
  t.throws(check, { message: /2 points acknowledged, 3 kept/ });
  database.exec(`delete from points`);
  t.throws(check, { message: /2 points acknowledged, 0 kept/ });
  database.exec(`insert into points values (1, 2, 1, 'load.b')`);
  t.throws(check, { message: /1\/2\/1: kept, and never sent/ });
  database.close();
});
