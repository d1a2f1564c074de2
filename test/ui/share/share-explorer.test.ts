// Long list: it walks through a screen of the page in a browser; quick: test/ui/share/share-page.test.ts, test/ui/kit/table-rows.test.ts, test/modules/dashboard-widgets/widget-rows.test.ts.
import t from 'tap';
import { hasFocus, type OpenShare, shareTests } from '../support/share-tests.ts';

await shareTests((open) => {
  queryTests(open);
  troubleTests(open);
});

function queryTests(open: OpenShare): void {
  t.test('an explorer is paged, sorted and searched by the server', async (t) => {
    const { page, server, complaints } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Customers' });
    const first = () => card.locator('tbody tr').first().locator('td').first().textContent();
    await card.getByText('1 to 25 of 230').waitFor();
    t.equal(server.inputs.calls.length, 0, 'the first page comes with the other widgets');
    t.equal(await card.getByRole('button', { name: 'Previous page' }).getAttribute('aria-disabled'), 'true');
    await card.getByRole('button', { name: 'Next page' }).click();
    await card.getByText('26 to 50 of 230').waitFor();
    t.equal(await first(), 'Customer 026');
    await card.getByRole('button', { name: 'Previous page' }).click();
    await card.getByText('1 to 25 of 230').waitFor();
    await card.getByRole('button', { name: 'Next page' }).click();
    await card.getByText('26 to 50 of 230').waitFor();
    await card.getByRole('button', { name: 'Customer', exact: true }).click();
    await card.getByRole('button', { name: 'Customer', exact: true }).click();
    await card.getByRole('link', { name: 'Customer 230' }).waitFor();
    t.equal(await first(), 'Customer 230', 'another order begins at its first page');
    const header = card.getByRole('columnheader', { name: 'Customer' });
    t.equal(await header.getAttribute('aria-sort'), 'descending');
    await card.getByRole('searchbox').fill('customer 11');
    await card.getByText('10 records').waitFor();
    const asked = server.inputs.calls.at(-1)?.body;
    t.match(asked, { sort: '-name', search: 'customer 11', page: { cursor: null, limit: 25 } });
    await card.getByRole('searchbox').fill('nobody at all');
    await card.getByText('No matching records').waitFor();
    await card.getByRole('button', { name: 'Show all' }).click();
    await card.getByText('1 to 25 of 230').waitFor();
    t.equal(await header.getAttribute('aria-sort'), null);
    t.same(complaints, []);
  });

  t.test('filters narrow the rows, and the files hold what is shown', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Customers' });
    await card.getByRole('button', { name: 'Filters' }).click();
    await card.getByLabel('City', { exact: true }).fill('bo');
    await card.getByLabel('Spent, from').fill('400');
    await card.getByLabel('Joined, to').fill('2025-06-01');
    await card.getByLabel('Active', { exact: true }).selectOption('true');
    await card.getByText(/^\d\d records$/).waitFor();
    await card.locator('.explorer-count', { hasText: /^4$/ }).waitFor();
    await card.locator('table:not([data-busy])').waitFor();
    const filters = {
      city: { contains: 'bo' },
      spent: { gte: 400 },
      joined: { lt: '2025-06-02' },
      active: { eq: true },
    };
    t.same(server.inputs.calls.at(-1)?.body['filters'], filters);
    for (const city of await card.locator('tbody tr td:nth-child(2)').allTextContents()) t.match(city, /Bo/);
    const link = card.getByRole('link', { name: 'NDJSON' });
    const address = new URL((await link.getAttribute('href')) ?? '', page.url());
    t.same(JSON.parse(address.searchParams.get('filters') ?? ''), filters);
    const download = page.waitForEvent('download');
    await link.click();
    t.equal((await download).suggestedFilename(), 'customers.ndjson');
    t.equal(server.inputs.calls.at(-1)?.what, 'export');
    await card.getByRole('button', { name: 'Clear filters' }).click();
    await card.getByText('1 to 25 of 230').waitFor();
  });
}

function troubleTests(open: OpenShare): void {
  t.test('while rows are on their way the old ones stay, and a refusal says what to do', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Customers' });
    server.inputs.delayMs = 400;
    await card.getByRole('button', { name: 'Next page' }).click();
    await card.locator('table[data-busy]').waitFor();
    t.equal(await card.locator('tbody tr').count(), 25);
    await card.getByText('26 to 50 of 230').waitFor();
    server.inputs.delayMs = 0;
    await card.getByRole('button', { name: 'Plan' }).click();
    await card.getByText('The rows cannot be sorted by "plan"').waitFor();
    await card.getByRole('button', { name: 'Start over' }).click();
    await card.getByText('1 to 25 of 230').waitFor();
  });

  t.test('where pages lead nowhere any more, starting over leads on, by keyboard too', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Customers' });
    await card.getByText('1 to 25 of 230').waitFor();
    server.inputs.edition += 1;
    await card.getByRole('button', { name: 'Next page' }).click();
    await card.getByText('The file has changed since the previous page').waitFor();
    await card.getByRole('button', { name: 'Start over' }).focus();
    await page.keyboard.press('Enter');
    await card.getByText('1 to 25 of 230').waitFor();
    t.ok(await hasFocus(card.getByRole('region', { name: 'Customers, table' })));
    await card.getByRole('button', { name: 'Next page' }).click();
    await card.getByText('26 to 50 of 230').waitFor();
  });
}
