import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { findChromium, launchChromium, openPage, type WatchedPage } from '../../support/browser.ts';
import { buildPages } from './build-pages.ts';
import { startUiServer, type UiServer } from './ui-server.ts';

export const wide = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 } };
const waitMsMax = 20_000;

export interface OpenedShare extends WatchedPage {
  readonly server: UiServer;
}

/** Opens a link on a server of its own; both go when the test ends. */
export type OpenShare = (t: Test, link: string, options?: BrowserContextOptions) => Promise<OpenedShare>;

/** Builds the pages, starts one browser for the file, and declares its tests; skips where there is no Chromium. */
export async function shareTests(declare: (open: OpenShare) => void): Promise<void> {
  const chromium = findChromium();
  if (chromium === null) {
    t.plan(0, 'no Chromium on the PATH or at CHROMIUM_PATH');
    return;
  }
  await buildPages();
  const browser = await launchChromium(chromium);
  t.teardown(() => browser.close());
  declare((test, link, options = wide) => open(test, browser, link, options));
}

async function open(
  t: Test,
  browser: Browser,
  link: string,
  options: BrowserContextOptions,
): Promise<OpenedShare> {
  const server = await startUiServer();
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(waitMsMax);
  t.teardown(async () => {
    await context.close();
    await server.close();
  });
  return { server, ...(await openPage(context, `${server.url}/share/${link}`)) };
}

/** Whether an element has the keyboard's focus. */
export async function hasFocus(locator: Locator): Promise<boolean> {
  return (await locator.and(locator.page().locator(':focus')).count()) === 1;
}
