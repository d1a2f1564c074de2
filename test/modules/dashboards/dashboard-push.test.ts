import { applyPatch } from 'diff';
import t from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool, startWorkerPool } from '../../support/worker-pool.ts';
import { type Board, jobTemplate, type PushItem, pushScene, yamlOf } from './push-scene.ts';

const pool = await sharedWorkerPool();

await eachStore(t, 'a dashboard knows what it was snapshotted from', async (t, store) => {
  const { get, edit, change, ids, editor, path } = await pushScene(t, store, pool);
  t.match(await get(ids[0]), { template_version: 1, modified: false, version: 1 });
  await edit(ids[0], yamlOf('Mine'));
  t.match(await get(ids[0]), { template_version: 1, modified: true, version: 2 });
  await edit(ids[0], yamlOf('One'));
  t.match(await get(ids[0]), { modified: false, version: 3 }, 'and back');
  await change(yamlOf('Two'));
  t.match(await get(ids[0]), { template_version: 1, modified: false }, 'whatever becomes of the template');
  await store.write((tx) =>
    tx
      .updateTable('dashboards')
      .set({ template_version: null, template_yaml_hash: null })
      .where('id', '=', ids[1])
      .execute(),
  );
  t.match(await get(ids[1]), { template_version: null, modified: null }, 'made before that was kept');
  t.equal((await editor.delete(path)).status, 204);
  t.match(await get(ids[0]), { dashboard_template_id: null, template_version: 1, modified: false });
});

await eachStore(
  t,
  'a push snapshots the template again, with the arguments of each job',
  async (t, store) => {
    const { get, push, change, edit, ids, jobs, editor, app, auditOf, path } = await pushScene(
      t,
      store,
      pool,
    );
    const share = await editor.post<{ share_token: string }>(`/api/dashboards/${ids[0]}/share`);
    await edit(ids[1], yamlOf('Local'));
    await change(yamlOf('Two'), 'Renamed');
    const dry = await push({ dry_run: true });
    t.match(dry, { status: 200, body: { dry_run: true } });
    const [north, south] = dry.body.items as [PushItem, PushItem];
    t.match(north, {
      dashboard_id: ids[0],
      job_id: jobs[0],
      job_name: 'north',
      name: 'Board',
      action: 'update',
      modified: false,
      from_version: 1,
      to_version: 2,
      problems: [],
    });
    t.match(south, { dashboard_id: ids[1], action: 'update', modified: true });
    t.equal(applyPatch(yamlOf('One'), north.diff), yamlOf('Two'));
    t.equal(applyPatch(yamlOf('Local'), south.diff), yamlOf('Two'));
    t.match(
      south.diff,
      /^--- dashboard\n\+\+\+ template \d+, version 2\n@@ -1,3 \+1,3 @@\n-title: Local\n\+title: Two/,
    );
    t.match(await get(ids[0]), { version: 1, name: 'Board' }, 'a dry run does nothing');
    t.same(await auditOf(), []);

    const done = await push();
    t.match(done, { status: 200, body: { dry_run: false } });
    t.same(done.body.items, dry.body.items, 'what it does is what it said');
    const after = await get(ids[0]);
    t.match(after, {
      name: 'Renamed',
      yaml_content: yamlOf('Two'),
      version: 2,
      template_version: 2,
      modified: false,
      shared: true,
      document: { title: 'Two', pages: [{ widgets: [{ config: { text: 'Sales of north' } }] }] },
    });
    t.match(await get(ids[1]), {
      version: 3,
      document: { pages: [{ widgets: [{ config: { text: 'Sales of south' } }] }] },
    });
    t.match(await editor.get(`/api/dashboards/${ids[0]}`), { headers: { etag: '"2"' } });
    const shared = await app.anonymous.get(`/api/public/dashboards/${share.body.share_token}`);
    t.equal(shared.status, 200, 'the link stays');
    t.ok(shared.text.includes('Sales of north'), 'and shows the new text');
    const templateId = Number(path.split('/').at(-1));
    const mark = { template_version: [1, 2], dashboard_template_id: templateId };
    t.same(await auditOf(), [
      ['dashboard.push', `${ids[0]}`, { version: [1, 2], ...mark }],
      ['dashboard.push', `${ids[1]}`, { version: [2, 3], ...mark }],
      ['dashboard_template.push', `${templateId}`, { version: 2, updated: 2, unchanged: 0 }],
    ]);
  },
);

await eachStore(t, 'what has the template’s words already keeps its version', async (t, store) => {
  const { get, push, change, edit, ids, auditOf } = await pushScene(t, store, pool);
  await change(yamlOf('Two'));
  await edit(ids[1], yamlOf('Two'));
  t.match(await get(ids[1]), { version: 2, template_version: 1, modified: true });
  const { items } = (await push({ dashboard_ids: [ids[1], ids[1]] })).body;
  t.match(items, [{ dashboard_id: ids[1], action: 'unchanged', modified: true, diff: '' }]);
  t.equal(items.length, 1);
  t.match(await get(ids[1]), { version: 2, template_version: 2, modified: false });
  t.match(await get(ids[0]), { version: 1, template_version: 1 }, 'the other was not named');
  t.same(
    (await auditOf()).map(([action]) => action),
    ['dashboard_template.push'],
  );
  t.match((await push()).body.items, [{ action: 'update' }, { action: 'unchanged', modified: false }]);
  t.match((await push()).body.items, [{ action: 'unchanged' }, { action: 'unchanged' }]);
  t.match(await get(ids[0]), { version: 2 });
});

await eachStore(t, 'a push is all or nothing', async (t, store) => {
  const { get, push, change, ids, jobOf, editor, templateId, app, path } = await pushScene(t, store, pool);
  const giveArgs = (args: string) =>
    editor.put(`/api/job-templates/${templateId}`, { name: 'T', yaml_content: jobTemplate('west', args) });
  const width = ', WIDTH: { type: integer, default: 4 }';
  await giveArgs(width);
  await jobOf('west');
  const wide = `  - { id: w, type: heading, text: "is \${WIDTH}" }\n  - { id: x, type: heading, text: "\${NONE}" }\n`;
  t.match(await change(yamlOf('Two', wide)), {
    status: 400,
    body: { details: [{ message: `There is no argument "NONE" for "\${NONE}"` }] },
  });
  await giveArgs(`${width}, NONE: { type: string, default: none }`);
  t.equal((await change(yamlOf('Two', wide))).status, 200, 'a template may use what its next jobs have');
  const dry = await push({ dry_run: true });
  t.match(dry.body.items, [
    { action: 'invalid', problems: [{ message: `There is no argument "WIDTH" for "\${WIDTH}"` }, {}] },
    { action: 'invalid' },
    {
      action: 'invalid',
      problems: [{ message: `There is no argument "NONE" for "\${NONE}"`, line: Number }],
    },
  ]);
  const refused = await push();
  t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
  t.equal(refused.body.details.length, 5, 'every problem of every dashboard');
  t.match(refused.body.details[0], {
    path: String,
    line: 4,
    message: `The dashboard "${ids[0]}" of the job "north" cannot take it: There is no argument "WIDTH" for "\${WIDTH}"`,
  });
  await change(yamlOf('Three', wide.split('\n')[0]));
  t.equal((await push()).status, 400, 'one that is right does not go ahead of the others');
  const boards = await editor.get<{ result: Board[] }>('/api/dashboards');
  t.same(
    boards.body.result.map(({ version, template_version }) => [version, template_version]),
    [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
  );
  const west = boards.body.result[0]?.id ?? 0;
  t.equal((await push({ dashboard_ids: [west] })).status, 200);
  t.match(await get(west), { version: 2, template_version: 3 });

  const unknown = await push({ dashboard_ids: [ids[0], 9_999, 9_998] });
  t.match(unknown, { status: 400, body: { error: 'VALIDATION_ERROR' } });
  const id = path.split('/').at(-1);
  t.same(unknown.body.details, [
    {
      path: 'dashboard_ids[1]',
      message: `The dashboard "9999" is not linked to the dashboard template "${id}"`,
    },
    {
      path: 'dashboard_ids[2]',
      message: `The dashboard "9998" is not linked to the dashboard template "${id}"`,
    },
  ]);
  t.match(await push({ dashboard_ids: [] }), { status: 400 });
  t.match(await push({ ids: [1] }), { status: 400 });
  t.match(await app.as('operator').post(`${path}/push`), { status: 403 });
  t.match(await editor.post('/api/dashboard-templates/999/push'), { status: 404 });
  await editor.post(`${path}/archive`);
  const archived = { status: 409, body: { error: 'CONFLICT', message: /"Board" is archived/ } };
  t.match(await push({ dry_run: true }), archived);
  t.match(await push(), archived);
});

await eachStore(t, 'what changes while a push is made ready is noticed', async (t, store) => {
  const meanwhile: { do: (() => Promise<unknown>) | null } = { do: null };
  const { get, push, change, edit, ids, editor, path } = await pushScene(t, store, pool, {
    afterDashboardsParsed: async () => {
      const act = meanwhile.do;
      meanwhile.do = null;
      await act?.();
    },
  });
  await change(yamlOf('Two'));
  const conflict = { status: 409, body: { error: 'CONFLICT', message: /changed in the meantime/ } };
  for (const [what, act] of [
    ['the template', () => change(yamlOf('Three'))],
    ['a dashboard', () => edit(ids[1], yamlOf('Mine'))],
    ['an archived template', () => editor.post(`${path}/archive`)],
  ] as const) {
    meanwhile.do = act;
    t.match(await push(), conflict, what);
    t.match(await get(ids[0]), { version: 1 });
  }
  await editor.post(`${path}/activate`);
  meanwhile.do = () => editor.delete(`/api/dashboards/${ids[1]}`);
  t.match(await push(), conflict, 'a deleted dashboard');
  t.equal((await push()).status, 200);
  t.match(await get(ids[0]), { version: 2 });
  meanwhile.do = () => editor.delete(path);
  t.match(await push(), conflict, 'a deleted template');
});

t.test('many dashboards', ofFullList, async (t) => {
  // Texts that are long enough for a thread of their own, which a pool of all files must not start.
  const own = await startWorkerPool(t);
  await eachStore(t, 'are pushed at once, and their diffs are bounded', async (t, store) => {
    const { push, change, edit, ids, jobOf, editor } = await pushScene(t, store, own);
    const jobs = 30;
    for (let job = 0; job < jobs; job += 1) await jobOf(`job ${job}`);
    const long = (word: string) =>
      yamlOf(
        'Long',
        Array.from({ length: 4_000 }, (_, line) => `  # ${word} ${line} ${'.'.repeat(40)}\n`).join(''),
      );
    t.equal((await change(long('new'))).status, 200);
    t.equal((await edit(ids[0], long('old'))).status, 200);
    const dry = await push({ dry_run: true });
    const [first] = dry.body.items;
    t.ok((first?.diff.length ?? 0) < 200_200);
    t.ok(first?.diff.endsWith('\\ The diff was cut: it is longer than 200000 characters\n'));
    const total = dry.body.items.reduce((sum, { diff }) => sum + diff.length, 0);
    t.ok(total <= 5_100_000, `${total} characters`);
    t.match(dry.body.items.at(-1)?.diff, /^\\ The diff was left out/);
    t.equal((await push()).body.items.filter(({ action }) => action === 'update').length, jobs + 2);
    const boards = await editor.get<{ result: Board[] }>('/api/dashboards?limit=200');
    t.ok(boards.body.result.every(({ template_version, modified }) => template_version === 2 && !modified));
  });
});
