// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/users/user-routes.test.ts, test/modules/webhooks/webhook-routes.test.ts, test/modules/audit/audit.test.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import t from 'tap';
import { serve } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const served = await serve(t, { SVC_OUTBOUND_ALLOW: '127.0.0.1' });
  const { url, api } = served;
  const profile = await servedProfile(served);

  t.test('a user is added, given another role, helped to sign in again and deleted', async (t) => {
    const { page, complaints } = await open(t, `${url}/`, profile);
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Name').fill('Grace');
    await page.getByRole('dialog').getByLabel('Role').selectOption('Operator');
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Create the user' }).click();
    const shown = page.getByRole('dialog', { name: 'User created' });
    const password = (await shown.locator('code').textContent()) ?? '';
    await shown.getByText(`${url}/sign-in`).waitFor();
    const login = (secret: string) =>
      fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ email: 'grace@example.com', password: secret }),
      });
    t.equal((await login(password)).status, 200, 'the password that is shown is theirs');
    await shown.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /Grace.*Operator/ }).waitFor();
    await page.getByLabel('Search').fill('grace');
    await page.getByRole('row', { name: /Demo|Ada|admin@/ }).waitFor({ state: 'detached' });
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('Viewer');
    await page.getByRole('dialog').getByLabel('Sign-in').selectOption('Not allowed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Grace.*Viewer.*Not allowed/ }).waitFor();
    t.equal((await login(password)).status, 401);
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('button', { name: 'New password' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New password' }).click();
    const renewed = page.getByRole('dialog', { name: 'The new password' });
    t.not(await renewed.locator('code').textContent(), password);
    await renewed.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Search').fill('');
    await page.getByRole('button', { name: 'Demo' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByText('Headgate test').waitFor();
    await checkLooks(t, page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('Not signed in anywhere').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Grace' }).waitFor({ state: 'detached' });
    await api.post('/api/api-keys', { name: 'nightly build', scopes: ['jobs:run'] });
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('row', { name: /nightly build.*@.*jobs:run.*Never/ }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Revoke: nightly build' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('nightly build').waitFor({ state: 'detached' });
    t.same(complaints, []);
  });

  t.test('a webhook is made, tested, sent again and its secret replaced', async (t) => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      request.resume();
      received.push(request.headers['webhook-id']?.toString() ?? '');
      response.writeHead(received.length === 1 ? 410 : 204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    t.teardown(() => receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const { page, complaints } = await open(t, `${url}/admin/webhooks`, profile);
    await page.getByText('nothing is sent when a job fails').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Name').fill('on call');
    await page.getByLabel('Address').fill('ftp://127.0.0.1');
    await page.getByLabel('All events, including future ones').uncheck();
    await page.getByLabel('A job run succeeded').uncheck();
    await checkLooks(t, page);
    const create = page.getByRole('button', { name: 'Create', exact: true });
    await create.click();
    await page.locator('.field:has(input[aria-invalid="true"]:focus)').getByText('not "ftp:"').waitFor();
    t.equal(await page.getByText('not "ftp:"').count(), 1, 'at the field, and nowhere else');
    t.match(complaints.splice(0), [/400/]);
    await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`);
    await create.click();
    const made = page.getByRole('dialog', { name: 'Webhook created' });
    t.match(await made.locator('code').textContent(), /^whsec_/);
    await made.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { level: 1, name: 'on call' }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('· 410').waitFor();
    await page.getByRole('button', { name: /^Message/ }).click();
    await page.getByText('"webhook.test"').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog', { name: 'The new secret' }).getByRole('button', { name: 'Close' }).click();
    const { result } = await api.get<{ result: { id: number; events: string[] }[] }>('/api/webhooks');
    t.same(result[0]?.events.includes('job_run.succeeded'), false);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('nothing is sent when a job fails').waitFor();
    t.same(complaints, []);
  });

  t.test(
    'channels of Slack and of mail are made, tested, changed without their secret, paused and deleted',
    async (t) => {
      await api.post('/api/tasks', {
        yaml_content: 'version: 1\nname: work\nsteps: [{ id: read, kind: log, message: hello }]\n',
      });
      const template = await api.post<{ id: number }>('/api/job-templates', {
        yaml_content: 'version: 1\nname: nightly\ntasks: { load: { task: work } }\n',
        name: 'Nightly',
      });
      const { id: jobId } = await api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
        name: 'Nightly',
        connector_mapping: {},
      });
      const received: string[] = [];
      const receiver = createServer(async (request, response) => {
        received.push(await new Response(Readable.toWeb(request) as ReadableStream).text());
        response
          .writeHead(received.length === 1 ? 404 : 200)
          .end(received.length === 1 ? 'no_service' : 'ok');
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      t.teardown(() => receiver.close());
      const { port } = receiver.address() as AddressInfo;
      const { page, complaints } = await open(t, `${url}/admin/notifications`, profile);
      await page.getByText('nobody gets a message').waitFor();
      await page.getByRole('button', { name: 'New channel' }).click();
      const dialog = page.getByRole('dialog');
      await checkLooks(t, page);
      await dialog.getByLabel('By').selectOption('Slack');
      await dialog.getByLabel('Name', { exact: true }).fill('on call');
      await dialog.getByLabel('Address of the webhook').fill(`http://127.0.0.1:${port}/services/secret`);
      await dialog.getByLabel('A job has too many dead letters').check();
      await dialog.getByLabel('Dead letters above').fill('5');
      await dialog.getByRole('combobox', { name: 'Only of these jobs' }).click();
      await page.getByRole('option', { name: 'Nightly' }).click();
      await page.keyboard.press('Escape');
      await checkLooks(t, page);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'on call' }).waitFor();
      await page.getByText('1 job', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The test did not arrive: It answered 404').waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The test arrived.').waitFor();
      await page
        .getByRole('button', { name: /^Message/ })
        .last()
        .click();
      await page.getByText('no_service').waitFor();
      await checkLooks(t, page);
      await page
        .getByRole('button', { name: /^Send again: / })
        .first()
        .click();
      await page.getByRole('button', { name: 'Edit' }).click();
      t.equal(
        await dialog.getByLabel('Address of the webhook').inputValue(),
        '',
        'the secret does not come back',
      );
      await dialog
        .getByRole('list', { name: /Only of these jobs/ })
        .getByText('Nightly')
        .waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill('on call, nights');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: 'on call, nights' }).waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The test arrived.').waitFor();
      const { result } = await api.get<{ result: Record<string, unknown>[] }>('/api/notifications/channels');
      t.match(result, [{ name: 'on call, nights', job_ids: [jobId], dead_letters_over: 5, url: '********' }]);
      await page.getByRole('button', { name: 'Disable' }).click();
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await page.getByText('Disabled', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Notifications' }).click();
      await page.getByRole('row', { name: /on call, nights.*Slack.*Disabled/ }).waitFor();
      await page.getByRole('button', { name: 'New channel' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('mail');
      await dialog.getByLabel('Mail server').fill('127.0.0.1');
      await dialog.getByLabel('Encryption').selectOption('None (without a password only)');
      t.equal(await dialog.getByLabel('Port').inputValue(), '25', 'the usual port of the encryption');
      await dialog.getByLabel('Port').fill('1');
      await dialog.getByLabel('Sender').fill('headgate@example.com');
      await dialog.getByLabel('Receivers').fill('ada@example.com\n grace@example.com');
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'mail' }).waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText(/The test did not arrive: /).waitFor();
      const mail = await api.get<{ result: Record<string, unknown>[] }>(
        '/api/notifications/channels?kind=email',
      );
      t.match(mail.result, [{ email: { to: ['ada@example.com', 'grace@example.com'], password: null } }]);
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name: 'mail' }).waitFor({ state: 'detached' });
      t.same(complaints, []);
    },
  );

  t.test('executors, the audit log, settings and the server are shown', async (t) => {
    const { page, complaints } = await open(t, `${url}/admin/executors`, profile);
    await page.getByRole('row', { name: /Online/ }).waitFor();
    await page.getByRole('region', { name: 'Executor keys' }).getByText('No key is set').waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByTitle('Only the changes of this person or key').first().click();
    await page.waitForURL(/\?actor_id=\d+$/);
    await page.getByRole('button', { name: 'Changes of everybody' }).click();
    await page.waitForURL(/\/audit$/);
    await page.getByRole('button', { name: 'user.delete' }).click();
    await page.getByRole('button', { name: 'auth.login' }).first().waitFor({ state: 'detached' });
    await checkLooks(t, page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    t.equal((await download).suggestedFilename(), 'audit-log.ndjson');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('retention.log_days').fill('-1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/retention.log_days/)
      .waitFor();
    await checkLooks(t, page);
    await page.getByLabel('retention.log_days').fill('14');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Back to the default' }).click();
    const stored = await api.get<{ settings: Record<string, { value: unknown }> }>('/api/server/config');
    t.equal(stored.settings['retention.log_days']?.value, 14);
    await page.getByRole('link', { name: 'About' }).click();
    await page.getByRole('row', { name: /Store.*sqlite/ }).waitFor();
    await page.getByLabel('Product name').fill('Waterworks');
    await page.getByLabel('Main color').fill('red');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.field:has(input[aria-invalid="true"]:focus)').getByText('#rrggbb"').waitFor();
    t.match(complaints.pop(), /400/);
    await page.getByLabel('Main color').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('banner').getByText('Waterworks').waitFor();
    await checkLooks(t, page);
    t.match(complaints, [/400/]);
  });
});
