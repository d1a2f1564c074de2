// Long list: it walks through a screen of the page in a browser; quick: test/ui/next-turn.test.ts, test/ui/refresh-clock.test.ts, test/ui/widget-batcher.test.ts.
import t from 'tap';
import { shareTests } from '../support/share-tests.ts';

// What runs in the page is text: these files know nothing of the DOM.
const hidePage = `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`;

await shareTests((open) => {
  t.test(
    'widgets of one interval are asked for together; an active run is polled every two seconds',
    async (t) => {
      const { page, server } = await open(t, 'flights');
      await page.getByText('1,960,400').waitFor();
      t.equal(server.batches.length, 1, 'the first paint costs one request');
      t.equal(server.batches[0]?.length, 11, 'which asks for every widget that has data');
      await page.getByText('2,008,400').waitFor();
      t.same(server.batches[1], ['load']);
    },
  );

  t.test('turn after turn the widgets of one interval stay one request', async (t) => {
    const { page, server } = await open(t, 'quick');
    await page.getByText('3,000,000').waitFor();
    while (server.batches.length < 4) await page.waitForTimeout(100);
    const [first, ...later] = server.batches.map((ids) => ids.toSorted());
    t.same(
      later,
      later.map(() => first),
    );
  });

  t.test('the refresh button renews everything in view at once', async (t) => {
    const { page, server } = await open(t, 'flights');
    await page.getByText('3,000,000').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('3,001,250').waitFor();
    t.ok(server.batches.some((batch, at) => at > 0 && batch.length === 11));
  });

  t.test(
    'while the server is busy the old data stays, marked as stale, and comes back by itself',
    async (t) => {
      const { page, server } = await open(t, 'flights');
      await page.getByText('3,000,000').waitFor();
      server.refuseWith(503);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText(/^Refreshing failed\. Stale since \d/).waitFor({ state: 'attached' });
      t.equal(await page.getByText('3,000,000').count(), 1);
      t.ok(await page.locator('.card-stale').first().isVisible());
      server.refuseWith(null);
      await page.getByText('3,001,250').waitFor();
      await page.locator('.card-stale').first().waitFor({ state: 'detached' });
    },
  );

  t.test('a page that is open while its dashboard is edited becomes the new one', async (t) => {
    const { page, server } = await open(t, 'flights');
    await page.getByText('3,000,000').waitFor();
    server.remove('delay');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('article', { name: 'Average delay', exact: true }).waitFor({ state: 'detached' });
    await page.getByText('3,001,250').waitFor();
    await page.locator('.card-stale').first().waitFor({ state: 'detached' });
    t.equal(await page.locator('.failure').count(), 0);
  });

  t.test('a hidden page asks for nothing', async (t) => {
    const { page, server } = await open(t, 'flights');
    await page.getByText('1,960,400').waitFor();
    await page.evaluate(hidePage);
    const before = server.batches.length;
    await page.waitForTimeout(2600);
    t.equal(server.batches.length, before);
  });
});
