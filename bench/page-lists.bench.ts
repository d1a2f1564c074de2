/**
 * What a browser does with much, on loopback. `page-jobs-filter`: of 10,000 jobs those of one template are shown, from the choice to the
 * first row, in ms (limit: 100). `page-log-fps`: frames in a second while a log of a million lines is scrolled to its end (limit: those of
 * an empty box of that height, in turns with it), with the memory of the page's script.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createFirstUser, signInForSession } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { findChromium, launchChromium } from '../test/support/browser.ts';
import { buildPages } from '../test/ui/support/build-pages.ts';
import { profileOf } from '../test/ui/support/signed-in.ts';
import { measure } from './support/figure.ts';
import { LoadFleet } from './support/load-fleet.ts';
import { startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const jobs = 10_000;
const jobsAtOnce = 16;
const templates = 4;
/** The runs of the simulated executor vary in length: this gives one of more than a million lines. */
const lines = 1_400_000;
const scrollMs = 4_000;
const filterMsMax = 100;
/** As tall as a million lines. */
const plainPx = 22_000_000;
const bytesInMb = 1_048_576;
const key = 'c1e7f2904b6d4a38953e0d17ab62f48c';

const chromium = findChromium();
if (chromium === null) throw new Error('There is no Chromium on the PATH or at CHROMIUM_PATH');
await buildPages();
const folder = workFolder();
const server = await startServe(folder, {
  SVC_EXECUTOR_KEY: key,
  SVC_EXECUTOR_EMBEDDED: 'false',
  SVC_RATE_LIMIT_PER_MINUTE: '10000000',
});
const browser = await launchChromium(chromium);
const user = await createFirstUser(server.url, server.setupToken);
const api = createApiClient({ baseUrl: server.url, key: user.apiKey });
const make = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
const task = await make('/api/tasks', {
  yaml_content: 'version: 1\nname: hello\nsteps: [{ id: say, kind: log, message: hello }]\n',
});
const run = await make(`/api/tasks/${task}/runs`, {});
const fleet = new LoadFleet({
  addresses: [server.grpcAddress],
  key,
  seed: 1,
  folder: join(folder, 'records'),
  processes: 1,
  slots: 1,
  batchLines: 1_000,
  linesPerRun: lines,
  metricPoints: 0,
});

async function makeJobs(): Promise<void> {
  const ids: number[] = [];
  for (let index = 0; index < templates; index++)
    ids.push(
      await make('/api/job-templates', {
        name: `Template ${index}`,
        yaml_content: `version: 1\nname: t${index}\ntasks: { say: { task: hello } }\n`,
      }),
    );
  let next = 0;
  const work = async () => {
    for (let index = next++; index < jobs; index = next++)
      await make(`/api/job-templates/${ids[index % templates]}/jobs`, {
        name: `Customer ${String(index).padStart(5, '0')}`,
        connector_mapping: {},
      });
  };
  await Promise.all(Array.from({ length: jobsAtOnce }, work));
}

const profile = profileOf(server.url, await signInForSession(server.url, user, 'Headgate bench'));
const context = await browser.newContext({ ...profile, locale: 'en-US' });

async function openPage(path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

/** From the choice of another template to its first row, as the page itself sees it. */
function filterMs(page: Page, template: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const filter = [...document.querySelectorAll('select')].find((one) => one.textContent.includes('Template ${template}'));
    const first = 'Customer ' + String(${template}).padStart(5, '0');
    const began = performance.now();
    const set = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set;
    set.call(filter, [...filter.options].find((one) => one.textContent === 'Template ${template}').value);
    filter.dispatchEvent(new Event('change', { bubbles: true }));
    const look = () => {
      const shown = document.querySelector('tbody tr')?.textContent.includes(first);
      if (shown) requestAnimationFrame(() => resolve(performance.now() - began));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** Frames in a second while the log is scrolled from its beginning to its end. */
function scrollFps(page: Page, box = '.log-lines'): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const list = document.querySelector('${box}');
    const end = list.scrollHeight - list.clientHeight;
    const began = performance.now();
    let frames = 0;
    const step = (now) => {
      frames += 1;
      const share = Math.min(1, (now - began) / ${scrollMs});
      list.scrollTop = share * end;
      if (share < 1) requestAnimationFrame(step);
      else resolve((1000 * frames) / (performance.now() - began));
    };
    requestAnimationFrame(step);
  })`);
}

const heapMb = (page: Page) => page.evaluate<number>(`performance.memory.usedJSHeapSize / ${bytesInMb}`);

try {
  await makeJobs();
  const jobsPage = await openPage('/jobs');
  await jobsPage.getByText('Customer 00000').waitFor();
  let template = 0;
  const jobsHeapMb = await heapMb(jobsPage);
  await measure({
    name: 'page-jobs-filter',
    unit: 'ms',
    rounds: templates - 1,
    product: () => {
      template = (template + 1) % templates;
      return filterMs(jobsPage, template);
    },
    limit: async () => filterMsMax,
    rssMb: () => jobsHeapMb,
  });
  await jobsPage.close();

  for (;;) {
    const { status } = await api.get<{ status: string }>(`/api/runs/${run}`);
    if (status === 'success') break;
    await sleep(500);
  }
  const logPage = await openPage(`/runs/${run}`);
  await logPage.getByText(/[1-9],\d{3},\d{3} lines/).waitFor();
  await logPage.getByRole('checkbox', { name: 'Follow' }).uncheck();
  await scrollFps(logPage);
  const logHeapMb = await heapMb(logPage);
  const plainPage = await context.newPage();
  await plainPage.evaluate(`document.body.innerHTML =
    '<div id="plain"><div></div></div>';
    const plain = document.getElementById('plain');
    Object.assign(plain.style, { height: '500px', overflow: 'auto' });
    plain.firstChild.style.setProperty('height', '${plainPx}px')`);
  await measure({
    name: 'page-log-fps',
    unit: 'frames/s',
    product: async () => {
      await logPage.bringToFront();
      return scrollFps(logPage);
    },
    limit: async () => {
      await plainPage.bringToFront();
      return scrollFps(plainPage, '#plain');
    },
    rssMb: () => logHeapMb,
  });
} finally {
  await fleet.stop(0);
  await browser.close();
  await server.stop();
}
