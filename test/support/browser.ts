import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findProgram } from './find-program.ts';

/** The shell has the same engine and half the cost: it draws no window. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where a Chromium is: `CHROMIUM_PATH`, else on the PATH; null where there is none. */
export function findChromium(): string | null {
  return findProgram(process.env['CHROMIUM_PATH'], names);
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  // In an environment without a language it has no names of files with letters beyond ASCII.
  const env = { ...process.env, LANG: 'C.UTF-8' };
  return chromium.launch({ executablePath, headless: true, args: flags, env });
}

/** A page that keeps what the browser complained of: console errors, uncaught errors, breaches of the policy. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

export async function openPage(
  context: BrowserContext,
  url: string,
  complaints: string[] = [],
): Promise<WatchedPage> {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}
