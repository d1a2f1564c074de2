// Long list: it walks through a screen of the page in a browser; quick: test/modules/share-links/public-dashboard-routes.test.ts, test/modules/share-links/share-password.test.ts, test/ui/share/share-page.test.ts.
import t from 'tap';
import { phone, shareTests } from '../support/share-tests.ts';
import { xssCorpus } from '../support/ui-payloads.ts';

await shareTests((open) => {
  t.test('an unknown link says so', async (t) => {
    const { page } = await open(t, 'unknown', phone);
    await page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor();
  });

  t.test('a link that is revoked while it is open is closed', async (t) => {
    const { page, server } = await open(t, 'flights');
    await page.getByText('3,000,000').waitFor();
    server.revoke();
    // No click: the run in view is asked for every two seconds, and the button goes with the page.
    await page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor();
    t.equal(await page.getByText('3,000,000').count(), 0);
  });

  t.test('a protected link opens with its password only', async (t) => {
    const { page, server } = await open(t, 'locked');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Open dashboard' }).click();
    await page.getByText('Wrong password.').waitFor();
    server.refuseWith(429);
    await page.keyboard.press('Enter');
    await page.getByText('Too many attempts. Try again in 15 minutes.').waitFor();
    server.refuseWith(null);
    await page.getByLabel('Password').fill('headwind');
    await page.keyboard.press('Enter');
    await page.getByText('3,000,000').waitFor();
  });

  t.test('hostile strings are shown as text wherever they come, and run nowhere', async (t) => {
    const { page, complaints } = await open(t, 'hostile');
    await page.locator('canvas').waitFor();
    await page.locator('.people').waitFor();
    const chart = page.locator('[data-type=bar_chart] canvas');
    await chart.hover({ position: { x: 200, y: 100 } });
    await page.locator('.tip').waitFor();
    t.match(await page.locator('.tip').textContent(), /<script>window\.__xss=1<\/script>/);
    const text = (await page.locator('body').textContent()) ?? '';
    for (const hostile of xssCorpus.slice(0, 6)) t.ok(text.includes(hostile), hostile);
    t.equal(await page.evaluate<boolean>('"__xss" in window'), false);
    t.equal(await page.locator('script:not([src]), img[src=x], svg[onload], [onerror]').count(), 0);
    const hrefs = await page.evaluate<string[]>('[...document.links].map((link) => link.protocol)');
    t.ok(hrefs.length > 0);
    t.same(
      hrefs.filter((protocol) => !['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)),
      [],
    );
    t.same(complaints, []);
  });
});
