import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
import t, { type Test } from 'tap';
import { findChromium, launchChromium, openPage, type WatchedPage } from '../../support/browser.ts';
import { fewOrMany, oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { buildPages } from './build-pages.ts';

export const wide = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 } };
const waitMsMax = 20_000;
/** One of so many looks at a page is axe-core's, which takes a fifth of the processor time of these files. */
const LOOKS_PER_AXE = oneIn(8, 3);
/** What moves is drawn sixty times a second, by the processor: one of so many profiles has it. */
const PROFILES_PER_MOVING = oneIn(8, 4);
/** A theme is nothing but colors. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export interface OpenedApp extends WatchedPage {
  readonly context: BrowserContext;
}

/** Opens an address in a browser profile of its own, which goes when the test ends. Requests to other hosts are complaints. */
export type OpenApp = (t: Test, url: string, options?: BrowserContextOptions) => Promise<OpenedApp>;

/** Builds the pages, starts one browser for the file, and declares its tests; skips where there is no Chromium. */
export async function appTests(declare: (open: OpenApp) => void | Promise<void>): Promise<void> {
  const chromium = findChromium();
  if (chromium === null) {
    t.plan(0, 'no Chromium on the PATH or at CHROMIUM_PATH');
    return;
  }
  await buildPages();
  const browser = await launchChromium(chromium);
  t.teardown(() => browser.close());
  await declare((test, url, options = wide) => open(test, browser, url, options));
}

async function open(
  t: Test,
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<OpenedApp> {
  const reducedMotion = seeded(t).upTo(PROFILES_PER_MOVING) === 0 ? 'no-preference' : 'reduce';
  const context = await browser.newContext({ reducedMotion, locale: 'en-US', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(waitMsMax);
  t.teardown(() => context.close());
  const complaints: string[] = [];
  const own = new URL(url).origin;
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== own) complaints.push(`request to ${request.url()}`);
  });
  return { context, ...(await openPage(context, url, complaints)) };
}

/** Goes to a path as if it were opened: wide, unless a test asks for another size, with no route and no complaint of the test before. */
export type Visit = (path: string, viewport?: ViewportSize) => Promise<OpenedApp>;

/** One page for tests that need no profile of their own, each of which takes half a second of the processor: what they store stays. */
export function onePage(t: Test, open: OpenApp, origin: string, options: BrowserContextOptions = {}): Visit {
  let opened: OpenedApp | null = null;
  return async (path, viewport = wide.viewport) => {
    const url = new URL(path, origin).href;
    if (opened === null) {
      opened = await open(t, url, { ...options, viewport });
      return opened;
    }
    const { page, complaints } = opened;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    complaints.splice(0);
    await page.setViewportSize(viewport);
    await page.goto(url);
    return opened;
  };
}

/** What axe-core finds serious or critical on the page as it is; `rules`: the only ones that it looks at. */
export async function seriousProblems(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const found = await page.evaluate<readonly Problem[]>(
    `axe.run(document, { resultTypes: ['violations'], preload: false, runOnly: ${rules ? JSON.stringify(rules) : seriousRules} }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

interface Problem {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** Of its own choice, those that can find something serious: the others take half of its time. */
const seriousRules = `axe._audit.rules
  .filter(({ enabled, impact, tags }) =>
    enabled && !/minor|moderate/.test(impact) && !/experimental|deprecated/.test(tags))
  .map(({ id }) => id)`;

/** How much wider the page is than its window, in pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/**
 * Looks at the page at both widths: nothing wider than the window, and, in both themes, nothing serious for axe-core. That one looks at
 * one page of eight (of the long list: of three), others at each run, and at one width or the other (`HEADGATE_TEST_TIMES=3`: at every page of the long list, and both).
 */
export async function checkLooks(t: Test, page: Page): Promise<void> {
  const { upTo } = seeded(t);
  const looks = upTo(LOOKS_PER_AXE) === 0 ? fewOrMany(1, 1) : 0;
  const first = upTo(2);
  for (const [index, { viewport }] of [wide, phone].entries()) {
    await page.setViewportSize(viewport);
    t.ok((await overflow(page)) <= 0, `not wider than ${viewport.width} px`);
    if ((index + first) % 2 >= looks) continue;
    await page.emulateMedia({ colorScheme: 'light' });
    t.same(await seriousProblems(page), [], `${viewport.width} px, light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    t.same(await seriousProblems(page, rulesOfColors), [], `${viewport.width} px, dark`);
  }
  await page.setViewportSize(wide.viewport);
  await page.emulateMedia({ colorScheme: null });
}
