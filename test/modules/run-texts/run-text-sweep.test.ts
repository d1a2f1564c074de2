import { sql } from 'kysely';
import t from 'tap';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import { deleteUnused, saveTexts } from '../../../src/modules/run-texts/run-text-store.ts';
import { sweepRunTexts } from '../../../src/modules/run-texts/run-text-sweep.ts';
import { type NewRun, NO_RETRY } from '../../../src/modules/runs/run.ts';
import { insertRun, selectRun } from '../../../src/modules/runs/run-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { eachStore } from '../../support/stores.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;
const YAML = 'version: 1\nname: load\nsteps: []\n';

function newRun(yaml_content: string, config: Readonly<Record<string, unknown>> = { limit: 7 }): NewRun {
  return {
    task_id: null,
    task_name: 'load',
    task_version: 1,
    yaml_content,
    job_run_id: null,
    job_id: null,
    task_key: null,
    reason: 'manual',
    retry: NO_RETRY,
    args: { values: {}, template: null, when: null },
    config,
    connectors: {},
    connectorTypes: [],
    labels: {},
    timeout_ms: 0,
    rerun_of: null,
    scheduled_for: null,
  };
}

const insert = (store: Store, run: NewRun, now = NOW) => store.write((tx) => insertRun(tx, run, now));

const contentsOf = async ({ read }: Store) =>
  (await read.selectFrom('run_texts').select('content').orderBy('content').execute()).map(
    ({ content }) => content,
  );

const never = new AbortController().signal;

t.test('texts of runs', async (t) => {
  await eachStore(t, 'are stored once, and a run shows its own', async (t, store) => {
    const first = await insert(store, newRun(YAML));
    const second = await insert(store, newRun(YAML, { limit: 8 }));
    t.same(await contentsOf(store), [YAML, '{"limit":7}', '{"limit":8}'].sort());
    for (const { id, config_json } of [first, second])
      t.match(await selectRun(store.read, id), { yaml_content: YAML, config_json });
    t.equal(second.config_json, '{"limit":8}');
    const { rows } = await sql<{ own: string }>`select yaml_content || config_json as own from runs`.execute(
      store.read,
    );
    t.same(
      rows.map(({ own }) => own),
      ['', ''],
    );
  });

  await eachStore(t, 'of rows from before are moved, and the rows show them as before', async (t, store) => {
    await store.write(async (tx) => {
      await sql`insert into job_templates (name, yaml_content, parsed_json, status, created_at, updated_at)
        values ('t', '', '{}', 'active', 0, 0)`.execute(tx);
      await sql`insert into jobs (job_template_id, template_version, name, yaml_content, parsed_json,
        connector_mapping_json, config_json, status, created_at, updated_at)
        values (1, 1, 'j', '', '{}', '{}', '{}', 'active', 0, 0)`.execute(tx);
      for (let run = 1; run <= 250; run++) {
        await sql`insert into job_runs (job_id, status, reason, args_json, config_json, parsed_json, created_at)
          values (1, 'success', 'manual', '{}', '{"a":1}', '{"tasks":[]}', 1)`.execute(tx);
        await sql`insert into runs (task_name, task_version, yaml_content, job_run_id, job_id, status, reason, max_attempts,
          retry_json, args_json, config_json, connectors_json, connector_types, labels_json, created_at, available_at)
          values ('t', 1, ${YAML}, ${run}, 1, 'success', 'manual', 1, '{}', '{}', '{"a":1}', '{}', ',', '{}', 1, 1)`.execute(
          tx,
        );
      }
    });
    const shown = async () => {
      const run = await selectRun(store.read, 250);
      const jobRun = await selectJobRun(store.read, 250);
      return [run?.yaml_content, run?.config_json, jobRun?.parsed_json, jobRun?.config_json];
    };
    const before = await shown();
    t.same(before, [YAML, '{"a":1}', '{"tasks":[]}', '{"a":1}']);
    await sweepRunTexts(store, never);
    t.same(await shown(), before);
    t.same(await contentsOf(store), [YAML, '{"a":1}', '{"tasks":[]}'].sort());
    const unmoved = store.read.selectFrom('runs').select('id').where('yaml_content', '<>', '');
    t.same(await unmoved.execute(), []);
  });

  await eachStore(t, 'go with the last row that refers to them, and not sooner', async (t, store) => {
    const { id } = await insert(store, newRun(YAML));
    const later = NOW + 3 * DAY_MS;
    t.equal(await store.write((tx) => deleteUnused(tx, later, 10)), 2, 'both were looked at');
    t.equal((await contentsOf(store)).length, 2, 'and are still in use');
    t.equal(await store.write((tx) => deleteUnused(tx, later, 10)), 0, 'so it is not asked again for days');
    await store.write((tx) => tx.deleteFrom('runs').where('id', '=', id).execute());
    await store.write((tx) => deleteUnused(tx, later + DAY_MS, 10));
    t.equal((await contentsOf(store)).length, 2, 'a start that is about to refer to one may be under way');
    await store.write((tx) => deleteUnused(tx, later + 3 * DAY_MS, 10));
    t.same(await contentsOf(store), []);
  });

  await eachStore(t, 'stay for a start that comes in between', async (t, store) => {
    const idOf = await store.write((tx) => saveTexts(tx, [YAML], NOW));
    const later = NOW + 5 * DAY_MS;
    // The start saves its texts, which marks them, and its row is not there yet.
    const again = await store.write((tx) => saveTexts(tx, [YAML], later));
    t.equal(again(YAML), idOf(YAML));
    await store.write((tx) => deleteUnused(tx, later, 10));
    t.same(await contentsOf(store), [YAML]);
  });
});
