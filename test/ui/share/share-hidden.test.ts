// Long list: it walks through a screen of the page in a browser; quick: test/ui/share/share-page.test.ts.
import t from 'tap';
import { shareTests } from '../support/share-tests.ts';

await shareTests((open) => {
  t.test('a widget that its own rule hides has no place on the page, and comes back', async (t) => {
    const { page, complaints } = await open(t, 'flights');
    const card = page.getByRole('article', { name: 'On time' });
    await card.waitFor();
    const articles = await page.locator('.grid .cell:visible').count();
    let hidden = true;
    await page.route('**/widgets/data', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { widgets: Record<string, unknown> };
      if (hidden && 'on_time' in body.widgets) body.widgets['on_time'] = { data: { hidden: true } };
      await route.fulfill({ response: answer, json: body });
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await card.waitFor({ state: 'detached' });
    t.equal(await page.locator('.grid .cell:visible').count(), articles - 1, 'nor an empty cell');
    await page.getByRole('article', { name: 'Fuel cost' }).waitFor();
    hidden = false;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await card.getByText('82.4%').waitFor();
    t.same(complaints, []);
  });
});
