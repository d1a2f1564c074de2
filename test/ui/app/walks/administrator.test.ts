// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/users/user-routes.test.ts, test/modules/notifications/channel-delivery.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { generateSync } from 'otplib';
import t, { type Test } from 'tap';
import { startReceiver } from '../../../support/http-receiver.ts';
import { MAIN } from '../../../support/program.ts';
import { programEnvironment } from '../../../support/program-environment.ts';
import { serve, until } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

const key = 'k'.repeat(32);

await appTests(async (open) => {
  const served = await serve(t, { SVC_EXECUTOR_KEY: key, SVC_OUTBOUND_ALLOW: '127.0.0.1' });
  const { api, url } = served;

  t.test('an administrator adds a user, an executor and an alert in Slack', async (t) => {
    const slack = await startReceiver(t);
    const { page, complaints } = await open(t, url, await servedProfile(served));
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByLabel('Name').fill('Grace');
    await dialog.getByLabel('Role').selectOption('Operator');
    await dialog.getByRole('button', { name: 'Create the user' }).click();
    const password = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).click();
    await signInFirst(t, password);

    await page.getByRole('link', { name: 'Executors', exact: true }).click();
    const line = (await page.getByText(/headgate executor --server/).textContent()) ?? '';
    await startAsShown(t, line);
    await page.getByRole('row', { name: /executor-2.*Online/ }).waitFor();

    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await page.getByRole('button', { name: 'New channel' }).click();
    await dialog.getByLabel('By', { exact: true }).selectOption('Slack');
    await dialog.getByLabel('Name').fill('On call');
    await dialog.getByLabel('Address of the webhook').fill(slack.url);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived').waitFor();
    await checkLooks(t, page);
    t.match(slack.received[0]?.body, /Test/i);

    await page.getByRole('link', { name: 'Home' }).click();
    await failJob();
    await until('Slack is told', 30_000, async () => slack.received.length > 1);
    t.match(JSON.parse(slack.received[1]?.body ?? ''), { text: /Nightly/ });
    t.same(complaints, []);
  });

  async function failJob(): Promise<void> {
    const make = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
    await make('/api/tasks', {
      yaml_content: 'version: 1\nname: check\nsteps: [{ id: check, kind: assert, check_expr: "false" }]\n',
    });
    const template = await make('/api/job-templates', {
      name: 'Nightly',
      yaml_content: 'version: 1\nname: nightly\ntasks: { check: { task: check } }\n',
    });
    const job = await make(`/api/job-templates/${template}/jobs`, {
      name: 'Nightly: Nord',
      connector_mapping: {},
    });
    await make(`/api/jobs/${job}/runs`, {});
  }

  /** As the new user does: password, authenticator, recovery codes. */
  async function signInFirst(t: Test, password: string): Promise<void> {
    const { page } = await open(t, url);
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Cannot scan it?').click();
    const secret = (await page.locator('details[open] code').textContent()) ?? '';
    await page
      .getByRole('textbox', { name: 'Code', exact: true })
      .fill(generateSync({ secret: secret.replace(/\s/g, '') }));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Runs', exact: true }).waitFor();
    t.equal(
      await page.getByRole('link', { name: 'Administration' }).count(),
      0,
      'an operator does not administer',
    );
  }
});

/** The line that the page shows, with the key in the place of its dots. */
async function startAsShown(t: Test, line: string): Promise<void> {
  const [, args = ''] = line.split(' headgate ');
  const child = spawn(process.execPath, [MAIN, ...args.split(' ')], {
    cwd: t.testdir({}),
    stdio: 'ignore',
    env: { ...programEnvironment(), SVC_EXECUTOR_KEY: key, SVC_LOG_LEVEL: 'silent' },
  });
  t.teardown(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
}
