import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { findChromium, launchChromium, openPage, type WatchedPage } from '../../support/browser.ts';
import { buildPages } from './build-pages.ts';
import { openUiAddress, startUiServer, type UiServer } from './ui-server.ts';

export const wide = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 } };
const waitMsMax = 20_000;

export interface OpenedShare extends WatchedPage {
  readonly server: UiServer;
}

/**
 * Opens a link on a server of its own, with nothing stored in the browser; a test opens one. Tests that want the same profile use one page
 * after another: what a browser compiles for a page is more than half of the processor time of such a test.
 */
export type OpenShare = (t: Test, link: string, options?: BrowserContextOptions) => Promise<OpenedShare>;

/** Builds the pages, starts one browser for the file, and declares its tests; skips where there is no Chromium. */
export async function shareTests(declare: (open: OpenShare) => void): Promise<void> {
  const chromium = findChromium();
  if (chromium === null) {
    t.plan(0, 'no Chromium on the PATH or at CHROMIUM_PATH');
    return;
  }
  await buildPages();
  const address = await openUiAddress();
  t.teardown(() => address.close());
  const browser = await launchChromium(chromium);
  t.teardown(() => browser.close());
  const profiles = new Map<string, Profile>();
  declare(async (test, link, { viewport, ...options } = wide) => {
    const key = JSON.stringify(options);
    const profile = profiles.get(key) ?? (await newProfile(browser, options));
    profiles.set(key, profile);
    const server = await startUiServer(() => {}, address);
    test.teardown(async () => {
      if (!(await leave(profile))) profiles.delete(key);
      await server.close();
    });
    const { page, complaints } = profile;
    complaints.splice(0);
    await page.setViewportSize(viewport ?? wide.viewport);
    await page.goto(`${server.url}/share/${link}`);
    return { server, page, complaints };
  });
}

interface Profile extends WatchedPage {
  readonly context: BrowserContext;
}

async function newProfile(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(waitMsMax);
  return { context, ...(await openPage(context, 'about:blank')) };
}

/** Forgets what a test has stored and changed; closes a profile that cannot, and is false. */
async function leave({ context, page }: Profile): Promise<boolean> {
  try {
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearCookies();
    await page.goto('about:blank');
    return true;
  } catch {
    await context.close();
    return false;
  }
}

/** The form of the link `inputs`. */
export const settingsForm = (page: Page) => page.getByRole('form', { name: 'Sync settings' });
export const saveButton = (page: Page) => settingsForm(page).getByRole('button', { name: 'Save settings' });

/** Whether an element has the keyboard's focus. */
export async function hasFocus(locator: Locator): Promise<boolean> {
  return (await locator.and(locator.page().locator(':focus')).count()) === 1;
}
