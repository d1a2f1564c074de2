/**
 * What a browser shows first, on loopback and with an empty cache, in seconds from the request for the page: `page-home-content`, the
 * signed-in home page with its first lines; `page-share-figure`, the first figure of a widget on a share page. The limits are those that
 * the pages are held to: 0.8 s and 0.6 s.
 */
import { createFirstUser, signInForSession } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { findChromium, launchChromium } from '../test/support/browser.ts';
import { buildPages } from '../test/ui/support/build-pages.ts';
import { profileOf } from '../test/ui/support/signed-in.ts';
import { seedDashboards } from './support/dashboard-seed.ts';
import { measure, secondsOf } from './support/figure.ts';
import { memoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const homeSecondsMax = 0.8;
const shareSecondsMax = 0.6;
const DASHBOARD = 'widgets: [{ id: one, type: stat, title: One, source: job, value_expr: "4711" }]';

const chromium = findChromium();
if (chromium === null) throw new Error('There is no Chromium on the PATH or at CHROMIUM_PATH');
await buildPages();
const server = await startServe(workFolder(), { SVC_EXECUTOR_EMBEDDED: 'false' });
const browser = await launchChromium(chromium);
try {
  const user = await createFirstUser(server.url, server.setupToken);
  const api = createApiClient({ baseUrl: server.url, key: user.apiKey });
  const { dashboardIds } = await seedDashboards(api, { connectors: {}, dashboards: [DASHBOARD] });
  const { public_url } = await api.post<{ public_url: string }>(
    `/api/dashboards/${dashboardIds[0]}/share`,
    {},
  );
  const profile = profileOf(server.url, await signInForSession(server.url, user, 'Headgate bench'));
  const shown = async (path: string, text: string): Promise<number> => {
    const context = await browser.newContext({ ...profile, locale: 'en-US' });
    const page = await context.newPage();
    try {
      return await secondsOf(async () => {
        await page.goto(server.url + path, { waitUntil: 'commit' });
        await page.getByText(text).first().waitFor();
      });
    } finally {
      await context.close();
    }
  };
  const rssMb = () => memoryBelow(server.pid)[0]?.rssMb ?? 0;
  const figures = [
    { name: 'page-home-content', path: '/', text: 'Everything is on time', max: homeSecondsMax },
    { name: 'page-share-figure', path: public_url, text: '4,711', max: shareSecondsMax },
  ];
  for (const { name, path, text, max } of figures) {
    await shown(path, text);
    await measure({ name, unit: 's', product: () => shown(path, text), limit: async () => max, rssMb });
  }
} finally {
  await browser.close();
  await server.stop();
}
