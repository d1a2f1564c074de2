// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/ui/app/config-values.test.ts, test/modules/connectors/connector-routes.test.ts, test/modules/connectors/connector-secrets.test.ts.
import t from 'tap';
import { HOSTILE, serveOrders } from '../../support/orders-scene.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);
const secret = 'correct horse battery';

await appTests(async (open) => {
  const { served, targetId, sourceId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);

  t.test('a connector is chosen from the gallery, tested, saved, browsed and deleted', async (t) => {
    const { page, complaints } = await open(t, `${url}/connectors`, profile);
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'New connector' }).click();
    await page.getByRole('heading', { level: 1, name: 'New connector' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('sqlite');
    await page.locator('.gallery li').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.locator('.gallery li').nth(7).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: /^SQLite/ }).click();
    t.match(page.url(), /type=sqlite$/);

    const name = `${HOSTILE} مرحبا 🚚 ${'long '.repeat(30)}`.trim();
    await page.getByLabel('Name').fill(name);
    t.equal(await page.getByLabel(/^path/).getAttribute('placeholder'), 'data/warehouse.db', 'an example');
    await page.getByLabel(/^path/).fill('missing/none.db');
    await page.getByRole('button', { name: 'Test the connection' }).click();
    await page.getByText('It does not work.').waitFor();
    await page.getByLabel(/^path/).fill('warehouse.db');
    await page.getByText('More settings').click();
    await page.getByLabel('busy_timeout_ms').fill('-1');
    await page.getByRole('button', { name: 'Save the connector' }).click();
    await page
      .getByRole('alert')
      .getByText(/busy_timeout_ms/)
      .waitFor();
    t.equal(await page.getByLabel('busy_timeout_ms').getAttribute('aria-invalid'), 'true');
    await checkLooks(t, page);
    complaints.splice(0);
    await page.getByLabel('busy_timeout_ms').fill('');
    await page.getByRole('button', { name: 'Save the connector' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    await page.getByRole('button', { name: 'Test the connection' }).click();
    await page.getByText('It works.').waitFor();
    await page.getByRole('link', { name: 'Browse' }).click();
    await page.getByRole('link', { name: /^orders/ }).click();
    await page.getByRole('cell', { name: 'Nord GmbH' }).waitFor();
    t.match(page.url(), /resource=/);
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Where used' }).click();
    await page.getByText('Not used by any job').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Connectors' }).waitFor();
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    t.equal(await page.getByText(HOSTILE).count(), 0);
    t.same(complaints, []);
  });

  t.test('where a connector is used, and why it cannot be read or deleted', async (t) => {
    const { page, complaints } = await open(t, `${url}/connectors/${targetId}?view=jobs`, profile);
    await page.getByRole('row', { name: /Nord: orders.*target.*With warnings/ }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/Nord: orders/)
      .waitFor();
    await page.goto(`${url}/connectors/${sourceId}?view=browse&resource=orders.csv`);
    await page
      .getByRole('alert')
      .getByText(/line 6/)
      .waitFor();
    t.match(complaints, [/409/, /502/], 'each asked once');
  });

  t.test('a secret never comes back, is kept where it is left alone, and can be removed', async (t) => {
    const { page, complaints } = await open(t, `${url}/connectors/new?type=postgres`, profile);
    await page.getByLabel('Name', { exact: true }).fill('Customers');
    for (const [key, value] of [
      ['host', '127.0.0.1'],
      ['database', 'customers'],
      ['user', 'etl'],
      ['password', secret],
    ] as const)
      await page.getByLabel(key, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Save the connector' }).click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    const password = page.getByLabel('password', { exact: true });
    t.equal(await password.inputValue(), '');
    t.equal(await password.getAttribute('placeholder'), 'Stored. Type to replace');
    t.notMatch(await page.content(), secret);
    const id = Number(page.url().split('/').at(-1));
    const config = async () =>
      (await api.get<{ config: Record<string, unknown> }>(`/api/connectors/${id}`)).config;
    await page.getByLabel('Description').fill('Theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    t.match(await config(), { host: '127.0.0.1', password: '********' });
    await page.getByLabel('host', { exact: true }).fill('other.example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/must be given again/)
      .first()
      .waitFor();
    complaints.splice(0);
    await page.getByRole('button', { name: 'Remove: password' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    t.same(await config(), { host: 'other.example.com', database: 'customers', user: 'etl' });
    t.same(complaints, []);
  });
});
