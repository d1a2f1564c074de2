import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { type FullApp, startFullApp } from '../../support/full-app.ts';
import { codeOf, PASSWORD, type SignedIn } from '../../support/visitor.ts';
import {
  appTests,
  checkLooks,
  type OpenApp,
  onePage,
  overflow,
  phone,
  type Visit,
} from '../support/app-tests.ts';
import { signedInProfile } from '../support/signed-in.ts';

interface Scene {
  readonly app: FullApp;
  readonly root: SignedIn;
  readonly url: string;
}

await appTests(async (open) => {
  const app = await startFullApp(t);
  const root = await app.superadmin();
  const url = app.plane.httpAddress;
  const scene = { app, root, url };
  const visit = onePage(t, open, url, signedInProfile(url, root.visitor));
  signInTests(scene, open);
  frameTests(scene, visit);
  themeTests(scene, open);
  stateTests(scene, visit);
  lossTests(scene, open, visit);
});

async function signIn(page: Page, { app, root }: Scene): Promise<void> {
  await page.getByLabel('Email').fill(root.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  app.clock.advance(30_000);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(root.enrolment.secret, app.clock));
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** A page of the first user, signed in by the cookie alone. */
function openSignedIn(t: Test, { url, root }: Scene, open: OpenApp, path = '/', options = {}) {
  return open(t, url + path, { ...options, ...signedInProfile(url, root.visitor) });
}

function signInTests(scene: Scene, open: OpenApp): void {
  t.test('who is not signed in signs in, and is then where the link led to', async (t) => {
    const { page, complaints } = await open(t, `${scene.url}/?from=mail`);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    t.equal(await page.title(), 'Sign in · Headgate');
    await checkLooks(t, page);
    t.same(complaints, []);
    await page.getByLabel('Email').fill(scene.root.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page
      .getByRole('alert')
      .getByText(/email or (the )?password/i)
      .waitFor();
    t.match(complaints.splice(0), [/401/], 'the browser names the refusal, and nothing else');
    await signIn(page, scene);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    t.match(page.url(), /\/\?from=mail$/);
    await page.reload();
    await page.getByRole('link', { name: 'Root' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.goto(scene.url);
    await page.getByLabel('Email').waitFor();
    t.same(complaints, []);
  });

  t.test('a link to sign in leads to this page only', ofFullList, async (t) => {
    const { page } = await open(t, `${scene.url}/sign-in?next=${encodeURIComponent('//evil.example/')}`);
    await signIn(page, scene);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    t.equal(page.url(), `${scene.url}/`);
  });
}

function frameTests(scene: Scene, visit: Visit): void {
  t.test('a server without jobs says how one gets there, and what is done already', async (t) => {
    const { page, complaints } = await visit('/');
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
    await steps.nth(3).waitFor();
    t.equal(await steps.getByText('Done').count(), 0);
    const yaml_content = 'version: 1\nname: hello\nsteps: [{ id: say, kind: log, message: hello }]\n';
    const made = await scene.root.visitor.post('/api/tasks', { yaml_content });
    t.equal(made.status, 201, made.text);
    await page.reload();
    await steps.filter({ hasText: 'Write a task' }).getByText('Done').waitFor();
    const connects = steps.filter({ hasText: 'Connect a source and a target' }).getByText('Done');
    for (const [name, done] of [
      ['source', 0],
      ['target', 1],
    ] as const) {
      const created = await scene.root.visitor.post('/api/connectors', { name, type: 'dummy', config: {} });
      t.equal(created.status, 201, created.text);
      await page.reload();
      await steps.filter({ hasText: 'Write a task' }).getByText('Done').waitFor();
      t.equal(await connects.count(), done, `with the ${name}`);
    }
    await steps.getByRole('link', { name: 'Connect a source and a target' }).click();
    await page.waitForURL('**/connectors/new');
    t.same(complaints, []);
  });

  t.test('the home page holds no barrier in either theme, at either width', async (t) => {
    const { page, complaints } = await visit('/');
    await page.getByText('Nothing is running').waitFor();
    await checkLooks(t, page);
    t.equal(await page.getByRole('main').count(), 1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    t.equal(
      await page.evaluate('document.activeElement.id'),
      'content',
      'the first key skips to the content',
    );
    t.same(complaints, []);
  });

  t.test('on a phone the navigation opens and closes by its button', async (t) => {
    const { page } = await visit('/', phone.viewport);
    const menu = page.getByRole('button', { name: 'Open the menu' });
    await menu.waitFor();
    t.equal(await page.getByRole('link', { name: 'Home' }).count(), 0);
    await menu.press('Enter');
    await page.getByRole('link', { name: 'Home' }).waitFor();
    t.ok((await overflow(page)) <= 0);
    await page.getByRole('button', { name: 'Close the menu' }).press('Enter');
    t.equal(await page.getByRole('link', { name: 'Home' }).count(), 0);
  });

  t.test('an address that leads to no screen says so', async (t) => {
    const { page, complaints } = await visit('/nowhere/at-all');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    t.same(complaints, []);
  });
}

function themeTests(scene: Scene, open: OpenApp): void {
  t.test('the language is the browser’s until another is chosen, and the choice is kept', async (t) => {
    const { page, complaints } = await openSignedIn(t, scene, open, '/', { locale: 'de-AT' });
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    t.equal(await page.locator('html').getAttribute('lang'), 'de');
    await page.getByLabel('Sprache').selectOption('English');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    t.equal(await page.locator('html').getAttribute('lang'), 'en');
    t.same(complaints, []);
  });

  t.test('the theme is the system’s, light or dark, as chosen', ofFullList, async (t) => {
    const { page } = await openSignedIn(t, scene, open, '/', { colorScheme: 'dark' });
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const select = page.getByLabel('Theme');
    await select.waitFor();
    const dark = await background();
    await select.selectOption('Light');
    const light = await background();
    t.not(light, dark);
    await page.reload();
    await select.waitFor();
    t.equal(await background(), light, 'kept');
    await select.selectOption('System');
    t.equal(await background(), dark);
  });
}

function stateTests(scene: Scene, visit: Visit): void {
  t.test('what is typed before the palette is fetched is in it', async (t) => {
    const { page, complaints } = await visit('/');
    const fetched = Promise.withResolvers<void>();
    await page.route(/\/assets\/palette-(?!actions).*\.js$/, async (route) => {
      await fetched.promise;
      await route.continue();
    });
    await page.getByText('Nothing is running').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audx');
    await page.keyboard.press('Backspace');
    fetched.resolve();
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await dialog.getByRole('option', { name: 'Audit log' }).waitFor();
    await page.keyboard.type('it');
    t.equal(await dialog.getByRole('combobox').inputValue(), 'audit');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${scene.url}/admin/audit`);
    t.same(complaints, []);
  });

  t.test(
    'over a slow line, what a screen will hold has its place before it is there',
    ofFullList,
    async (t) => {
      const { page, complaints } = await visit('/');
      await page.getByText('Nothing is running').waitFor();
      const left = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.x ?? 0;
      const edge = await left();
      const held = Promise.withResolvers<void>();
      await page.route(/assets.*tasks-screen/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.getByRole('link', { name: 'Tasks', exact: true }).click();
      const placeholder = page.locator('.placeholder').first();
      await placeholder.waitFor();
      t.equal((await placeholder.boundingBox())?.x, edge);
      held.resolve();
      await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
      t.equal(await left(), edge);
      t.same(complaints, []);
    },
  );
}

function lossTests(scene: Scene, open: OpenApp, visit: Visit): void {
  t.test('a lost server is named above what it last said, until it is back', ofFullList, async (t) => {
    const { page, context } = await openSignedIn(t, scene, open);
    await page.getByText('Nothing is running').waitFor();
    await context.setOffline(true);
    await page.getByText('The server cannot be reached. This page may be out of date').waitFor();
    await page.getByText('Nothing is running').waitFor();
    await context.setOffline(false);
    await page
      .getByText('The server cannot be reached. This page may be out of date')
      .waitFor({ state: 'detached' });
  });

  t.test('what something on the way cuts is its screen’s problem: nothing else is read again', async (t) => {
    const { page } = await visit('/');
    await page.getByText('Nothing is running').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    await page.route('**/api/tasks?*', (route) => route.abort());
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    const problem = page.getByRole('alert');
    await problem.waitFor();
    // Longer than a lost server waits until it is asked again.
    await sleep(3_000);
    t.equal(asked.filter((path) => path === '/api/tasks').length, 2, 'it is read once more');
    t.equal(asked.filter((path) => path === '/api/auth/me').length, 0);
    t.notOk(await page.getByText('This page may be out of date').isVisible());
    await page.unroute('**/api/tasks?*');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.waitFor({ state: 'detached' });
  });

  t.test('when a session ends, the page asks for a new sign-in over what it shows', async (t) => {
    const { page } = await visit('/');
    await page.getByText('Nothing is running').waitFor();
    await scene.root.visitor.post('/api/auth/logout');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    t.ok(await dialog.isVisible());
    await page.getByText('Nothing is running').waitFor();
    await signIn(page, scene);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Nothing is running').waitFor();
  });
}
