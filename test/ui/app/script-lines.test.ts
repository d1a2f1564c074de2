// Long list: it walks through screens of the page in a browser and starts a program for each line; quick: test/ui/kit/script-call.test.ts, test/ui/app/every-screen.test.ts.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { MAIN } from '../../support/program.ts';
import { appTests } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const lineMsMax = 30_000;

/** What a command said before it failed. */
function failureOf(error: unknown): string {
  const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
  return `${stdout}${stderr}${error}`;
}

await appTests(async (open) => {
  const { served, jobId, jobRunId } = await serveOrders(t);
  const { url, api, apiKey } = served;
  const receiver = { name: 'Alerts', url: 'https://hooks.slack.example/x', events: ['run.failing'] };
  const channel = await api.post<{ id: number }>('/api/notifications/channels', {
    ...receiver,
    kind: 'slack',
  });
  const webhook = await api.post<{ id: number }>('/api/webhooks', receiver);
  const job = await api.get<{ job_template_id: number }>(`/api/jobs/${jobId}`);
  const templateAt = `/api/job-templates/${job.job_template_id}`;
  const { name, yaml_content } = await api.get<{ name: string; yaml_content: string }>(templateAt);
  await api.put(templateAt, { name, yaml_content: `${yaml_content}\n# Another version\n` });
  const profile = await servedProfile(served);
  const bin = join(served.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'headgate'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
  chmodSync(join(bin, 'headgate'), 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: bin, SVC_TOKEN: apiKey };
  const pasted = (line: string) =>
    promisify(execFile)('sh', ['-c', line], { cwd: bin, env, timeout: lineMsMax });

  t.test('each line that the page has for scripts runs as it is', async (t) => {
    const { page, complaints } = await open(t, url, profile);
    const runAll = async (inside: Locator, where: string, commands: number, curls = 1) => {
      for (const summary of await inside.getByText('For scripts').all()) await summary.click();
      const lines = await inside.locator('details.script pre').allInnerTexts();
      t.equal(lines.filter((line) => line.startsWith('curl ')).length, curls, `${where}: with curl`);
      t.equal(lines.filter((line) => line.startsWith('headgate ')).length, commands, where);
      for (const line of lines) {
        const failed = await pasted(line).then(() => null, failureOf);
        t.equal(failed, null, line);
      }
    };
    const main = page.getByRole('main');
    for (const [path, commands, curls] of [
      ['/runs?status=warning&label=%5B%22it%27s+a:b%22%5D', 1],
      ['/runs?kind=tasks', 0],
      [`/jobs?q=Nord: o&archived=true`, 1],
      ['/connectors?type=csv&q=Nord', 1],
      ['/connectors/1', 1, 2],
      ['/dead-letters?code=CAST_ERROR', 1],
      ['/dead-letters?status=all', 0],
      [`/admin/notifications/${channel.id}`, 0],
      [`/admin/webhooks/${webhook.id}`, 0],
      [`/jobs/${jobId}?view=upgrade`, 1],
    ] as const) {
      await page.goto(url + path);
      await page.waitForLoadState('networkidle');
      await runAll(main, path, commands, curls);
    }
    for (const [path, button, commands] of [
      [`/jobs/${jobId}`, 'Start now', 1],
      [`/job-runs/${jobRunId}`, 'Rerun', 1],
      ['/tasks/1', 'Run once', 0],
      ['/dead-letters', 'Discard all', 1],
    ] as const) {
      await page.goto(url + path);
      await page.getByRole('button', { name: button }).first().click();
      await page.waitForLoadState('networkidle');
      await runAll(page.getByRole('dialog'), `${path}: ${button}`, commands);
    }
    t.same(complaints, []);
  });

  t.test(
    'a job run with warnings, of which no task failed, is not rerun "from the failed tasks"',
    async (t) => {
      const { page } = await open(t, `${url}/job-runs/${jobRunId}`, profile);
      await page.getByText('With warnings').first().waitFor();
      await page.getByRole('button', { name: 'Rerun' }).click();
      const dialog = page.getByRole('dialog');
      t.equal(await dialog.getByText('Only failed tasks').count(), 0);
      await dialog.getByRole('button', { name: 'Start the rerun' }).click();
      await page.waitForURL((at) => at.pathname !== `/job-runs/${jobRunId}`);
    },
  );
});
