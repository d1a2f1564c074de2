// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/frame.test.ts, test/ui/app/runs.test.ts, test/ui/share/share-page.test.ts.
import { generateSync } from 'otplib';
import t from 'tap';
import { FirefoxPage, findFirefox } from '../../../support/firefox-page.ts';
import { serveOrders } from '../../../support/orders-scene.ts';
import { buildPages } from '../../support/build-pages.ts';
import { shareDashboard } from '../../support/shared-dashboard.ts';

t.setTimeout(300_000);

const TOTP_STEP_SECONDS = 30;
const DASHBOARD = `title: Orders
widgets:
  - { id: count, type: stat, title: Orders, connector: target, method: list, args: { table: orders }, value_expr: "$count(data) & ' orders'" }
  - { id: amounts, type: bar_chart, title: Amounts, connector: target, method: list, args: { table: orders }, x_expr: item.id, series: [{ label: Amount, value_expr: item.amount }] }
`;

const firefox = findFirefox();
if (firefox === null) t.plan(0, 'no Firefox on the PATH or at FIREFOX_PATH');
else {
  await buildPages();
  const { served, templateId, sourceId, targetId } = await serveOrders(t);
  const { url, api, user } = served;

  t.test('the main path in Firefox: sign-in, runs, a log, dead letters and a shared dashboard', async (t) => {
    const page = await FirefoxPage.start(t, firefox);
    const shows = (text: string) => page.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
    await page.goto(url);
    await page.type('Email', user.email);
    await page.type('Password', user.password);
    await page.click('button', 'Continue');
    // That of this step has been used already: each works once.
    const epoch = Math.floor(Date.now() / 1_000) + TOTP_STEP_SECONDS;
    await page.type('Code', generateSync({ secret: user.totpSecret, epoch }));
    await page.click('button', 'Continue');
    await page.until(`document.querySelector('h1')?.textContent === 'Home'`);

    await page.click('nav a', 'Runs');
    await page.click('td a, th a', 'Nord: orders');
    await page.click('th a', 'load');
    await shows('load ended');
    await page.click('a', 'Correct and replay');
    await shows('2026-02-31');

    const { path } = await shareDashboard(api, templateId, 'Figures', DASHBOARD, {
      source: sourceId,
      target: targetId,
    });
    await page.goto(`${url}${path}`);
    await shows('2 orders');
    await page.until(
      `document.querySelector('[role=img][aria-label^="Amounts. Bar chart"] canvas, [role=img][aria-label^="Amounts. Bar chart"] svg')`,
    );
    t.same(page.complaints, []);
  });
}
