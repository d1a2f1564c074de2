// Long list: it walks through a screen of the page in a browser; quick: test/ui/row-view.test.ts, test/modules/explorer-presets/explorer-preset-routes.test.ts.
import t from 'tap';
import { serveOrders } from '../../../support/orders-scene.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const { served, targetId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);

  t.test(
    'columns, order and conditions are chosen, saved for the team, opened again and deleted',
    async (t) => {
      const address = `${url}/connectors/${targetId}?view=browse&resource=orders`;
      const { page, complaints } = await open(t, address, profile);
      await page.getByText('Columns, order and conditions').click();
      await page.getByRole('checkbox', { name: 'amount' }).uncheck();
      await page.getByRole('columnheader', { name: /^amount/ }).waitFor({ state: 'detached' });
      await page.getByLabel('Order', { exact: true }).selectOption('-id');
      await page.getByRole('button', { name: 'Add a condition' }).click();
      await page.getByLabel('Column', { exact: true }).selectOption('id');
      await page.getByLabel('Condition', { exact: true }).selectOption('gte');
      await page.getByLabel('Value', { exact: true }).fill('6');
      const rows = page.getByRole('region', { name: 'Rows of orders' }).getByRole('row');
      await page.getByRole('cell', { name: 'Nord GmbH' }).waitFor({ state: 'detached' });
      // While rows are read there are none.
      await rows.nth(1).waitFor();
      t.equal(await rows.count(), 2, 'its head and one row');
      t.match(decodeURIComponent(page.url()), /"operator":"gte"/);
      await checkLooks(t, page);

      await page.getByText('Save this view').click();
      const form = page.getByRole('form', { name: 'Save this view' });
      await form.getByLabel('Name').fill('<b>Newest</b> 🚚');
      await form.getByLabel('Who sees it').selectOption('team');
      await form.getByRole('button', { name: 'Save' }).click();
      const saved = page.getByRole('list', { name: 'Saved views' });
      await saved.getByRole('link', { name: /<b>Newest<\/b> 🚚/ }).waitFor();
      const { result } = await api.get<{ result: object[] }>(
        `/api/explorer-presets?connector_id=${targetId}`,
      );
      t.match(result, [
        { resource: 'orders', sort: ['-id'], filter: { id: { gte: 6 } }, visibility: 'team' },
      ]);

      await page.goto(address);
      await page.getByRole('cell', { name: 'Nord GmbH' }).waitFor();
      await saved.getByRole('link').click();
      await page.getByRole('cell', { name: 'Nord GmbH' }).waitFor({ state: 'detached' });
      await page.getByRole('columnheader', { name: /^amount/ }).waitFor({ state: 'detached' });
      await checkLooks(t, page);
      await saved.getByRole('button', { name: /^Delete/ }).click();
      await saved.waitFor({ state: 'detached' });
      t.same(complaints, []);
    },
  );
});
