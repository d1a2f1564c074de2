import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ofFullList, oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { type OpenShare, phone, saveButton, settingsForm, shareTests, wide } from '../support/share-tests.ts';

// What runs in the page is text: these files know nothing of the DOM.
const layoutShift = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 200);
})`;

await shareTests((open) => {
  widgetTests(open);
  controlTests(open);
  inputTests(open);
});

function widgetTests(open: OpenShare): void {
  t.test('the page shows every widget of the dashboard with its data, and breaks no policy', async (t) => {
    const { page, complaints } = await open(t, 'flights');
    await page.getByRole('heading', { level: 1, name: 'Flights 2001' }).waitFor();
    t.equal(await page.title(), 'Flights 2001');
    t.equal(await page.getByRole('banner').count(), 1, 'landmarks for screen readers');
    t.equal(await page.getByRole('main').getByRole('heading', { level: 1 }).count(), 1);
    await page.getByText('Northwind Data').waitFor();
    t.match(await page.locator('link[rel="icon"]').getAttribute('href'), /^data:image\/gif;/);
    const flights = page.getByRole('article', { name: 'Flights', exact: true });
    await flights.getByText('3,000,000').waitFor();
    t.match(await flights.textContent(), /4\.1%.*vs 2,881,400/);
    t.match(await page.getByRole('article', { name: 'On time' }).textContent(), /82\.4%.*3\.3 pts/);
    t.match(await page.getByRole('article', { name: 'Fuel cost' }).textContent(), /\$48,201,733\.50/);
    t.match(await page.getByRole('article', { name: 'Data read' }).textContent(), /13\.5 MB/);
    t.match(
      await page.getByRole('article', { name: 'Flights by length' }).textContent(),
      /Under 500 miles.*41\.6%/,
    );
    t.match(
      await page.getByRole('article', { name: 'Loading flights' }).textContent(),
      /Running.*1 m \d\d s/,
    );
    t.equal(await page.getByRole('progressbar', { name: 'Days loaded' }).getAttribute('aria-valuenow'), '72');
    await page.locator('[data-type=line_chart] canvas').waitFor();
    const summary = await page.getByRole('img', { name: /^Average delay by day/ }).getAttribute('aria-label');
    t.match(summary, /181 points from Jan 1, 2001 to Jun 30, 2001\. Departure: lowest/);
    t.equal(
      await page.locator('[data-type=line_chart] tbody tr').count(),
      181,
      'the numbers are there as a table',
    );
    t.same(complaints, []);
  });

  t.test('an error stays in its card, and empty data says so', async (t) => {
    const { page } = await open(t, 'flights');
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    t.equal(new URL(page.url()).hash, '#details');
    await page.getByText('The server sent something').waitFor();
    const card = (name: string) => page.getByRole('article', { name }).textContent();
    t.match(await card('Cancelled'), /Connector "warehouse": the table "cancelled_flights" does not exist/);
    t.match(await card('Diverted today'), /No records/);
    t.match(await card('Settings'), /not available here yet/);
    t.match(await card('Who to ask'), /Amelia Noor.*Data engineer/);
    t.match(await page.locator('.steps [aria-current=step]').textContent(), /Write to the warehouse64%/);
    t.equal(await page.getByRole('note').locator('li').count(), 2);
    // The code of the charts comes after the page. Exactly one: a wait for several fails.
    await page.locator('[data-type=bar_chart] canvas').waitFor();
    await page.goBack();
    await page.getByRole('article', { name: 'Fuel cost' }).waitFor();
  });
}

function controlTests(open: OpenShare): void {
  t.test('a table is sorted by its headers and searched by its box', async (t) => {
    const { page } = await open(t, 'flights');
    const table = page.getByRole('article', { name: 'Busiest routes' });
    const first = () => table.locator('tbody tr').first().textContent();
    await table.getByRole('button', { name: 'Average delay' }).click();
    t.match(await first(), /^DALHOU/);
    await table.getByRole('button', { name: 'Average delay' }).click();
    t.match(await first(), /^ORDMSP/);
    t.equal(
      await table.getByRole('columnheader', { name: 'Average delay' }).getAttribute('aria-sort'),
      'descending',
    );
    await table.getByRole('searchbox').fill('sfo');
    await table.getByText('1 of the first 12 records match').waitFor();
    t.equal(await table.locator('tbody tr').count(), 1);
    const file = await table.getByRole('link', { name: 'CSV' }).getAttribute('href');
    t.match(
      file,
      /\/widgets\/routes\/export\?format=csv&sort=-delay&search=sfo$/,
      'the file has all of them',
    );
    await table.getByRole('searchbox').fill('nowhere');
    await table.getByText('Nothing matches “nowhere” among the first 12 records').waitFor();
    t.equal(await page.getByRole('table', { name: 'Busiest routes' }).count(), 1);
  });

  t.test('a text of another script reads in its own direction, and a column keeps its side', async (t) => {
    const { page } = await open(t, 'flights');
    await page.locator('td').first().waitFor();
    const ways = await page.evaluate<
      string[]
    >(`['h1', 'h2', '.stat-value', 'td', 'th', 'input'].map((one) => {
      const { unicodeBidi, textAlign } = getComputedStyle(document.querySelector(one));
      return one === 'td' ? unicodeBidi + ' ' + textAlign : unicodeBidi;
    })`);
    t.same(ways, ['plaintext', 'plaintext', 'plaintext', 'plaintext left', 'plaintext', 'plaintext']);
  });

  t.test(
    'the theme follows the system until one is chosen, and the choice is kept',
    ofFullList,
    async (t) => {
      const { page } = await open(t, 'flights', { ...wide, colorScheme: 'dark' });
      const background = () =>
        page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      const dark = await background();
      await page.getByRole('button', { name: 'Switch to the light theme' }).click();
      const light = await background();
      t.not(light, dark);
      await page.reload();
      t.equal(await background(), light);
    },
  );

  for (const link of seeded(t).someOf(['flights', 'flights#details', 'hostile'], oneIn(3, 1))) {
    t.test(`nothing of "${link}" is wider than a phone, and nothing moves after it is painted`, async (t) => {
      const { page } = await open(t, link, phone);
      await page.locator('.stat-value, .steps').first().waitFor();
      await page.locator('canvas').first().waitFor();
      t.equal(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), 0);
      const shift = await page.evaluate<number>(layoutShift);
      t.ok(shift < 0.01, `layout shift ${shift}`);
    });
  }

  t.test('data that takes a moment moves nothing either', ofFullList, async (t) => {
    const { page } = await open(t, 'flights#details', phone);
    await page.route('**/widgets/data', async (route) => {
      await sleep(300);
      await route.continue();
    });
    await page.reload();
    await page.locator('.steps').waitFor();
    const shift = await page.evaluate<number>(layoutShift);
    t.ok(shift < 0.01, `layout shift ${shift}`);
  });
}

function inputTests(open: OpenShare): void {
  t.test('a form is filled, saved once, and shows what was saved', async (t) => {
    const { page, server, complaints } = await open(t, 'inputs');
    const name = settingsForm(page).getByLabel('Name');
    t.equal(await name.inputValue(), 'Northwind');
    t.equal(await saveButton(page).getAttribute('aria-disabled'), 'true', 'nothing has changed');
    t.equal(await settingsForm(page).getByLabel('Contact').getAttribute('type'), 'email');
    await name.fill('Southwind');
    await settingsForm(page).getByText('Unsaved changes').waitFor();
    await settingsForm(page).getByLabel('Rows at once').fill('2.5');
    await page.keyboard.press('Enter');
    await settingsForm(page).getByText('Saved', { exact: true }).waitFor();
    t.equal(await name.inputValue(), 'Southwind');
    t.match(server.inputs.savedValues(), { name: 'Southwind', batch: 2.5 });
    const saves = server.inputs.calls.filter(({ what, body }) => what === 'submit' && !body['dry_run']);
    t.equal(saves.length, 1);
    t.same(saves[0]?.body['version'], 7);
    t.same(complaints, []);
  });

  t.test('the options of a field follow another field', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const region = settingsForm(page).getByRole('combobox', { name: 'Region' });
    const city = settingsForm(page).getByRole('combobox', { name: 'City' });
    t.equal(await region.inputValue(), 'Europe', 'an inline option is known by its label');
    await city.click();
    await page.getByRole('option', { name: 'Porto' }).waitFor();
    await page.keyboard.press('Escape');
    await region.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    t.equal(await region.inputValue(), 'United States');
    await city.click();
    await page.getByRole('option', { name: 'Denver' }).waitFor();
    t.equal(await page.getByRole('option', { name: 'Porto' }).count(), 0);
    await page.keyboard.press('Escape');
    await saveButton(page).click();
    await settingsForm(page)
      .getByText('"City" holds "Bonn", which is not offered any more')
      .first()
      .waitFor();
    t.equal(await city.getAttribute('aria-invalid'), 'true');
    await city.click();
    await page.getByRole('option', { name: 'Denver' }).click();
    await saveButton(page).click();
    await settingsForm(page).getByText('Saved', { exact: true }).waitFor();
    t.match(server.inputs.savedValues(), { region: 'us', city: 'Denver' });
  });

  t.test('rows are paged and searched, an action acts once, and a widget that is hidden goes', async (t) => {
    const { page, server, complaints } = await open(t, 'inputs');
    const rows = page.getByRole('article', { name: 'Customers' });
    await rows.getByText('1 to 25 of 230').waitFor();
    await rows.getByRole('button', { name: 'Next page' }).click();
    await rows.getByText('26 to 50 of 230').waitFor();
    await rows.getByRole('searchbox').fill('customer 11');
    await rows.getByText('10 records').waitFor();
    const card = page.getByRole('article', { name: 'Run it now' });
    await card.getByRole('button', { name: 'Load everything again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Load everything again' });
    await dialog.getByLabel('Reason').fill('A new field');
    await dialog.getByRole('button', { name: 'Load everything again' }).click();
    await card.getByText('Loading has begun').waitFor();
    const presses = server.inputs.calls.filter(({ what }) => what === 'action');
    t.match(presses, [
      { body: { input: { reason: 'A new field', mode: 'full' } }, pressKey: /^[0-9a-f]{32}$/ },
    ]);
    t.equal(presses.length, 1);
    await page.route('**/widgets/data', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { widgets: Record<string, unknown> };
      const widgets = Object.fromEntries(
        Object.keys(body.widgets).map((id) => [id, { data: { hidden: true } }]),
      );
      await route.fulfill({ response: answer, json: { ...body, widgets } });
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await rows.waitFor({ state: 'detached' });
    t.same(complaints, []);
  });
}
