import type { Page } from 'playwright-core';
import t from 'tap';
import { FAILED } from '../../modules/runs/plane.ts';
import { BareExecutor, stepOf } from '../../support/bare-executor.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { EXECUTOR_KEY, type FullApp, startFullApp } from '../../support/full-app.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import type { SignedIn } from '../../support/visitor.ts';
import {
  appTests,
  checkLooks,
  type OpenApp,
  onePage,
  seriousProblems,
  type Visit,
} from '../support/app-tests.ts';
import { signedInProfile, viewerOf } from '../support/signed-in.ts';

type Made = { id: number; runs: { id: number; task_key: string }[] };

const hostileName = '<img src=x onerror=alert(1)> nightly';
const template = `version: 1
name: nightly
tasks:
  load: { task: work }
  publish: { task: work, needs: [load] }
`;

interface Scene {
  readonly app: FullApp;
  readonly root: SignedIn;
  readonly executor: BareExecutor;
  readonly url: string;
  /** Starts the job; its first task waits in the queue. */
  start(): Promise<Made>;
}

await appTests(async (open) => {
  const app = await startFullApp(t);
  const root = await app.superadmin();
  const url = app.plane.httpAddress;
  const send = async (path: string, body: object) => {
    const { status, body: made, text } = await root.visitor.post<Made>(path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return made;
  };
  const steps = `steps: [{ id: read, kind: log, message: hello }]`;
  await send('/api/tasks', { yaml_content: `version: 1\nname: work\n${steps}\n` });
  const { id } = await send('/api/job-templates', { name: 'Nightly', yaml_content: template });
  const job = await send(`/api/job-templates/${id}/jobs`, { name: hostileName, connector_mapping: {} });
  const executor = await BareExecutor.register(url, [], EXECUTOR_KEY);
  const start = async () => {
    const { id } = await send(`/api/jobs/${job.id}/runs`, { args: {} });
    return (await root.visitor.get<Made>(`/api/job-runs/${id}`)).body;
  };
  const scene = { app, root, executor, url, start };
  const visit = onePage(t, open, url, signedInProfile(url, root.visitor));
  jobRunTests(scene, visit);
  logTests(scene, open);
  homeTests(visit);
  viewerTests(scene, open);
  changeTests(scene, visit);
});

function jobRunTests({ executor, url, start }: Scene, visit: Visit): void {
  t.test('a job run is followed from the queue to its failure, rerun and cancelled', async (t) => {
    const { page, complaints } = await visit('/runs');
    await page.getByText('No runs yet').waitFor();
    await start();
    await page.getByRole('row', { name: /Queued.*nightly/ }).waitFor();
    const lease = await executor.take();
    await page.getByRole('row', { name: /Running.*nightly/ }).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('Succeeded');
    await page.getByText('No runs match these filters').waitFor();
    t.match(page.url(), /\/runs\?status=success$/, 'a filter is part of the address');
    await page.getByText('For scripts').click();
    const curl = page.getByRole('region', { name: 'With curl' });
    const command = page.getByRole('region', { name: 'On the command line' });
    t.equal(
      await curl.textContent(),
      `curl -fsS -H "Authorization: Bearer $SVC_TOKEN" '${url}/api/job-runs?status=success'`,
    );
    t.equal(await command.textContent(), `headgate runs --status success --server ${url}`);
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    t.same(await seriousProblems(page), []);

    await page.getByRole('link', { name: hostileName }).click();
    const graph = page.getByRole('region', { name: 'Graph of the tasks' });
    await graph.getByRole('link', { name: /load.*Running/ }).waitFor();
    await graph.getByText('Not started').waitFor();
    await executor.complete(lease, FAILED);
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
    await graph.getByRole('link', { name: /publish.*Skipped/ }).waitFor();
    await page.getByRole('row', { name: /publish An upstream task failed/ }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('region', { name: 'Timeline of the tasks' }).getByText('Failed').waitFor();
    t.match(page.url(), /view=timeline/);

    await page.getByRole('button', { name: 'Rerun' }).click();
    await page.getByRole('radio', { name: 'From a task onward' }).check();
    await page.getByRole('combobox', { name: 'Task' }).selectOption('publish');
    await page.getByText('For scripts').click();
    t.match(await command.textContent(), /^headgate rerun \d+ --from \w+ --use snapshot --server http/);
    t.match(await curl.textContent(), /-X POST .* -d '{"from":"\w+","use":"snapshot"}' http/);
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Start the rerun' }).click();
    await page
      .getByRole('alert')
      .getByText(/has failed/)
      .waitFor();
    complaints.splice(0);
    await page.getByRole('radio', { name: 'Only failed tasks' }).check();
    await page.getByRole('button', { name: 'Start the rerun' }).click();
    await page.getByRole('link', { name: /Rerun of \d+/ }).waitFor();

    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('radio', { name: 'Stop by force' }).check();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('status').getByText('Cancelled').waitFor();
    t.same(complaints, []);
  });
}

function changeTests({ root, executor, start }: Scene, visit: Visit): void {
  t.test(
    'a run shows the columns that it has changed, and the event is stored for those who want it',
    async (t) => {
      const { visitor } = root;
      const hook = { name: 'changes', url: 'https://hooks.example.com/in', events: ['schema.changed'] };
      const webhook = await visitor.post<{ id: number }>('/api/webhooks', hook);
      t.equal(webhook.status, 201, webhook.text);
      const { runs } = await start();
      const run = runs[0]?.id ?? 0;
      const lease = await executor.take(run);
      const schema_changes = [
        { object: 'prices', column: 'colour', from: null, to: 'string', on_change: 'notify' as const },
        { object: 'prices', column: 'amount', from: 'integer', to: 'bigint' },
      ];
      const verification = {
        source: 'rows of read',
        target: 'warehouse.prices',
        equal: false,
        rows_source: 1_234,
        rows_target: 1_233,
        differing: 1,
        missing: 1,
        surplus: 0,
        settled: 0,
        reloaded: 0,
        sample: null,
        columns: [{ column: 'amount', differing: 1 }],
        left_out: ['note'],
        digested: { source: 'rows' as const, target: 'engine' as const },
        differences: [
          {
            kind: 'differing' as const,
            key: { id: '7' },
            columns: [{ column: 'amount', source: '<b>1.5</b>', target: null }],
          },
          { kind: 'missing' as const, key: { id: '8' }, columns: [] },
        ],
      };
      const steps = [{ ...stepOf('write', 'load', 'success'), schema_changes, verification }];
      await executor.complete(lease, { status: 'success', reason: '', failure: null, steps });
      await executor
        .complete(lease, { status: 'success', reason: '', failure: null, steps })
        .catch(() => undefined);
      const { page, complaints } = await visit(`/runs/${run}`);
      await page
        .getByRole('row', { name: /colour prices .*string · receivers were notified write/ })
        .waitFor();
      await page.getByRole('row', { name: /amount prices integer bigint write/ }).waitFor();
      await page.getByRole('heading', { name: 'warehouse.prices compared with rows of read' }).waitFor();
      await page.getByText('1,234 in the source, 1,233 in the target').waitFor();
      await page.getByRole('row', { name: /id 7 Differs amount <b>1\.5<\/b> null/ }).waitFor();
      await page.getByRole('row', { name: /id 8 Missing/ }).waitFor();
      await checkLooks(t, page);
      t.same(complaints, []);
      const { body } = await visitor.get<{ result: { event: string }[] }>(
        `/api/webhooks/${webhook.body.id}/deliveries`,
      );
      t.equal(body.result.length, 1, 'once, though the completion came twice');
      t.match(body.result, [{ event: 'schema.changed' }]);
    },
  );
}

function logTests({ root, executor, url, start }: Scene, open: OpenApp): void {
  t.test('a log is followed through a lost connection with nothing missing, and searched', async (t) => {
    const { runs } = await start();
    const run = runs[0]?.id ?? 0;
    const lease = await executor.take(run);
    const line = (n: number) => ({
      message: `line ${n}`,
      step_id: 'read',
      level: n === 3 ? 'error' : 'info',
    });
    await executor.log(lease, 1, [line(1), line(2)]);
    const proxy = await TcpProxy.start(t, new URL(url).host);
    const address = `http://${proxy.address}`;
    const { page, complaints } = await open(
      t,
      `${address}/runs/${run}`,
      signedInProfile(address, root.visitor),
    );
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('2 lines').waitFor();
    await executor.log(lease, 3, [line(3)]);
    await page.getByText('3 lines').waitFor();
    proxy.set('refuse');
    await page.getByText('Connection lost; the log will continue').waitFor();
    await executor.log(lease, 4, [line(4), line(5)]);
    proxy.set('pass');
    await page.getByText('5 lines').waitFor();
    t.same(
      await messagesOf(page),
      [1, 2, 3, 4, 5].map((n) => `line ${n}`),
      'each once, in order',
    );
    complaints.splice(0);

    await executor.leave(lease, 2, { amount: '<b>n/a</b>' });
    await executor.complete(lease, {
      last_log_seq: 5,
      rows_failed: 2,
      status: 'warning',
      reason: 'item_errors',
    });
    await page.getByText('Complete', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Dead letters' }).getByText('<b>n/a</b>').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('line 4');
    await page.getByText('1 matching lines').waitFor();
    await page.getByRole('option', { name: /line 4/ }).waitFor();
    t.same(await messagesOf(page), ['line 4']);
    t.match(page.url(), /q=line/);
    await page.getByRole('button', { name: 'First error' }).click();
    await page.getByRole('option', { name: /line 3/, selected: true }).waitFor();
    await page.getByRole('listbox', { name: 'Log' }).press('ArrowDown');
    await page.getByRole('option', { name: /line 4/, selected: true }).waitFor();
    t.match(
      await page.getByRole('link', { name: 'Download' }).getAttribute('href'),
      `/api/runs/${run}/logs/download`,
    );
    await checkLooks(t, page);
    t.same(complaints, []);
  });
}

function messagesOf(page: Page): Promise<readonly string[]> {
  return page.locator('.log-message').allTextContents();
}

function homeTests(visit: Visit): void {
  t.test('the home page leads to what failed and to the newest dead letters', async (t) => {
    const { page, complaints } = await visit('/');
    const letters = page.getByRole('region', { name: 'Newest dead letters' });
    await letters.getByText('2 open').waitFor();
    await page.getByRole('region', { name: 'Late' }).getByText('Everything is on time').waitFor();
    await page.getByRole('region', { name: 'Executors' }).getByText('Online').waitFor();
    await checkLooks(t, page);
    await letters.getByRole('listitem').getByRole('link').first().click();
    await page.getByRole('region', { name: 'Dead letters' }).getByText('<b>n/a</b>').first().waitFor();
    await page.goBack();
    await page
      .getByRole('region', { name: 'Failed since yesterday' })
      .getByRole('link', { name: hostileName })
      .click();
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
    t.same(complaints, []);
  });
}

function viewerTests({ app, root, executor, url, start }: Scene, open: OpenApp): void {
  t.test('who may only read sees no button that runs or cancels', ofFullList, async (t) => {
    const { runs, id } = await start();
    await executor.take(runs[0]?.id);
    const vera = await viewerOf(app, root.visitor);
    const { page, complaints } = await open(t, `${url}/job-runs/${id}`, signedInProfile(url, vera));
    await page.getByRole('link', { name: /load.*Running/ }).waitFor();
    await page.getByRole('link', { name: 'Vera' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 0);
    await page.goto(`${url}/runs/${runs[0]?.id}`);
    await page.getByText('Live', { exact: true }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 0);
    await page.goto(`${url}/job-runs/99999`);
    await page.getByText('This does not exist or was deleted').waitFor();
    t.match(complaints, [/404/]);
  });
}
