// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/frame.test.ts, test/modules/auth/setup.test.ts, test/modules/users/account-routes.test.ts.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { codeOf, signIn } from '../../support/visitor.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';

const password = 'four words for a harbour';
const nextPassword = 'other words for a harbour';
const hostileName = '<img src=x onerror=alert(1)> "key"';

await appTests(async (open) => {
  const app = await startFullApp(t);
  const url = app.plane.httpAddress;
  let secret = '';
  let recoveryCode = '';

  const enterCode = async (page: Page) => {
    app.clock.advance(30_000);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, app.clock));
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  t.test('a fresh server leads through its set-up, and into the page', async (t) => {
    const lost = await open(t, url);
    await lost.page.getByRole('heading', { level: 1, name: 'Welcome to Headgate' }).waitFor();
    await lost.page.getByLabel('Setup token').waitFor();

    const { page, complaints } = await open(t, `${url}/set-up#${app.plane.setupToken}`);
    await page.getByLabel('Your name').fill('Rita');
    t.equal(await page.getByLabel('Setup token').count(), 0, 'the address has it');
    await page.getByLabel('Email').fill('rita@example.com');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page
      .getByRole('alert')
      .getByText(/password/i)
      .first()
      .waitFor();
    await checkLooks(t, page);
    complaints.splice(0);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    t.ok(
      await page.evaluate<number>('document.querySelector(".qr").naturalWidth'),
      'the policy lets it be drawn',
    );
    await checkLooks(t, page);
    await page.getByText('Cannot scan it?').click();
    secret = (await page.locator('details code').textContent()) ?? '';
    const shown = await page.locator('.recovery-codes li').allTextContents();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the codes' }).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    t.same(file.trim().split('\n'), shown);
    recoveryCode = shown[0] ?? '';
    await enterCode(page);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    t.same(complaints, []);

    await page.getByRole('link', { name: 'Rita' }).click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    t.equal(await page.title(), 'Account · Headgate');
    t.equal(await page.evaluate('document.activeElement.id'), 'content', 'a new screen takes the focus');
    await page.getByText('No API keys yet').waitFor();
    await page.getByText('This one').waitFor();
    await checkLooks(t, page);
    await keysAreMadeAndRevoked(page);
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password').fill(nextPassword);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page
      .locator('form')
      .getByRole('alert')
      .getByText(/password/i)
      .waitFor();
    t.equal(complaints.splice(0).length, 1, 'the browser names the refusal');
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    t.same(complaints, []);

    async function keysAreMadeAndRevoked(page: Page): Promise<void> {
      await page.getByRole('button', { name: 'New API key' }).click();
      await page.getByLabel('Name').fill(hostileName);
      await page.getByLabel('Only these').check();
      await page.getByLabel('jobs:read').check();
      await checkLooks(t, page);
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByRole('heading', { name: 'Your new API key' }).waitFor();
      const token = (await page.locator('dialog code').textContent()) ?? '';
      const key = app.withToken(token);
      t.equal((await key.get('/api/jobs')).status, 200);
      t.equal((await key.get('/api/users')).status, 403, 'no more than its scopes');
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText(hostileName).waitFor();
      t.equal(await page.getByText(token).count(), 0, 'shown once');
      await page.getByRole('button', { name: `Revoke: ${hostileName}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('No API keys yet').waitFor();
      t.equal((await key.get('/api/jobs')).status, 401);
    }
  });

  t.test('a recovery code signs in once, and the other sessions can be ended', async (t) => {
    const { page, complaints } = await open(t, `${url}/sign-in`);
    const signInWith = async (code: string) => {
      await page.getByLabel('Email').fill('rita@example.com');
      await page.getByLabel('Password').fill(nextPassword);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
      await page.getByLabel('Recovery code').fill(code);
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await signInWith(recoveryCode);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const other = app.visitor();
    await signIn(other, 'rita@example.com', nextPassword, secret, app.clock);
    t.equal((await other.get('/api/auth/me')).status, 200);
    await page.goto(`${url}/account`);
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
    t.equal((await other.get('/api/auth/me')).status, 401);
    t.same(complaints, []);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInWith(recoveryCode);
    await page.getByRole('alert').getByText(/code/i).waitFor();
  });
});
