// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/dashboards.test.ts, test/language/dashboard/dashboard-filters.test.ts, test/modules/dashboard-widgets/batch/batch-scope.test.ts.
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { shareDashboard } from '../support/shared-dashboard.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const SQL = `select id, customer, amount from orders where (?1 is null or customer = ?1) and (?2 is null or amount >= ?2)
  and (?3 is null or ordered_on >= ?3) and (?4 is null or ordered_on <= ?4) order by id`;

const YAML = `title: Orders
filters:
  - { id: customer, label: Customer, type: select, shared_query: customers }
  - { id: least, label: At least, type: number }
  - { id: ordered, label: Ordered, type: date_range }
  - { id: size, label: Size, type: select, options: [big, small] }
shared_queries:
  customers: { connector: target, method: query, args: { sql: select distinct customer from orders order by 1 } }
  found:
    connector: target
    method: query
    args: { sql: "${SQL.replace(/\s+/g, ' ')}", params: ["{{ filter.customer }}", "{{ filter.least }}", "{{ filter.ordered.from }}", "{{ filter.ordered.to }}"] }
widgets:
  - { id: count, type: stat, title: Found, shared_query: found, value_expr: $count(data), width: 3 }
  - { id: total, type: stat, title: In all, connector: target, method: count, args: { table: orders }, value_expr: data, href_expr: "'?filter.least=50'", width: 3 }
  - { id: rows, type: table, title: Rows, shared_query: found, width: 6, export: true, limit: 1,
      columns: [{ key: customer, href_expr: "'?filter.customer=' & $encodeUrlComponent(value)" }, { key: amount }] }
  - { id: shares, type: pie_chart, title: Shares, shared_query: found, label_expr: item.customer, value_expr: item.amount, href_expr: "'?filter.customer=' & $encodeUrlComponent(item.customer)" }
  - { id: bars, type: bar_chart, title: Bars, shared_query: found, x_expr: item.customer, series: [{ value_expr: item.amount }], href_expr: "item.id = 1 ? 'javascript:alert(1)' : '?filter.customer=' & $encodeUrlComponent(item.customer)", horizontal: true }
`;

await appTests(async (open) => {
  const { served, templateId, sourceId, targetId } = await serveOrders(t);
  const { api, url } = served;
  const shared = await shareDashboard(api, templateId, 'Orders', YAML, {
    source: sourceId,
    target: targetId,
  });
  const link = `${url}${shared.path}`;

  t.test('people with the link choose, and the address keeps it', async (t) => {
    const { page, complaints } = await open(t, `${link}?filter.customer=West`);
    const found = (count: number) =>
      page.getByRole('article', { name: 'Found' }).getByText(String(count), { exact: true }).waitFor();
    await found(1);
    await checkLooks(t, page);
    t.equal(await page.getByLabel('Customer').inputValue(), 'West');
    await page.getByLabel('Customer').selectOption('');
    await found(2);
    t.equal(new URL(page.url()).search, '');
    await page.getByLabel('At least').fill('50');
    await found(1);
    await page.waitForURL(/\?filter\.least=50$/);
    await page.getByLabel('Ordered', { exact: true }).selectOption('custom');
    await page.getByLabel('Ordered, to').fill('2026-02-01');
    await found(0);
    await page.reload();
    await found(0);
    t.equal(await page.getByLabel('Ordered, to').inputValue(), '2026-02-01');
    await page.goBack();
    await found(1);
    await page.getByRole('button', { name: 'Reset' }).click();
    await found(2);
    await page.getByRole('table', { name: 'Rows' }).getByRole('link', { name: 'Nord GmbH' }).click();
    await page.waitForURL(/\?filter\.customer=Nord%20GmbH$/);
    await found(1);
    t.same(complaints, []);
  });

  t.test('on a German page a number is read as it is written there, and what is none is said', async (t) => {
    const { page, complaints } = await open(t, `${link}?filter.least=50.5`, { locale: 'de-DE' });
    const found = (count: number) =>
      page.getByRole('article', { name: 'Found' }).getByText(String(count), { exact: true }).waitFor();
    const least = page.getByLabel('At least');
    await found(1);
    t.equal(await least.inputValue(), '50,5');
    await least.fill('1.000');
    await page.waitForURL(/\?filter\.least=1000$/);
    await found(0);
    await least.fill('4,5');
    await page.waitForURL(/\?filter\.least=4\.5$/);
    await found(2);
    for (const text of ['4.5', 'abc']) {
      await least.fill(text);
      await page.getByText('Nicht angewandt: Das ist keine Zahl; schreiben Sie sie wie 1.234,5').waitFor();
      t.equal(await least.getAttribute('aria-invalid'), 'true', text);
      await checkLooks(t, page);
    }
    await least.fill('');
    await page.waitForURL((address) => address.search === '');
    t.equal(await least.getAttribute('aria-invalid'), null);
    await page.getByLabel('Ordered', { exact: true }).selectOption('custom');
    await page.getByLabel('Ordered, von').fill('2026-02-01');
    await page.getByLabel('Ordered, bis').fill('2026-01-01');
    await page.getByText('Nicht angewandt: Das Ende liegt vor dem Anfang').waitFor();
    t.same(complaints, []);
  });

  t.test('figures lead on, by pointer and by keyboard, and never to a script', async (t) => {
    const { page, complaints } = await open(t, link);
    const leadsTo = async (search: string) => {
      await page.waitForURL((address) => address.search === search);
      await page.goBack();
      await page.locator('canvas').waitFor();
    };
    await page.getByRole('article', { name: 'In all' }).getByRole('link', { name: '2' }).click();
    await leadsTo('?filter.least=50');
    await page.getByRole('article', { name: 'Shares' }).getByRole('link', { name: 'West' }).click();
    await leadsTo('?filter.customer=West');
    const bars = page.getByRole('article', { name: 'Bars' });
    t.equal(await bars.getByRole('link').count(), 1, 'the other address is no safe one');
    await bars.getByRole('link', { name: 'West' }).focus();
    await page.keyboard.press('Enter');
    await leadsTo('?filter.customer=West');
    const box = await page.locator('canvas').boundingBox();
    if (box === null) throw new Error('The chart is not drawn');
    // The lower half of two horizontal bars is the second one.
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.65);
    await leadsTo('?filter.customer=West');
    t.same(complaints, []);
  });

  t.test('what a filter does not have is refused, and changes no query', async (t) => {
    const ask = async (filter: unknown) => {
      const answer = await fetch(
        `${url}/api/public/dashboards/${shared.path.split('/').at(-1)}/widgets/data`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ widget_ids: ['count', 'total', 'filter.customer'], filter }),
        },
      );
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    t.match(await ask({}), {
      status: 200,
      body: {
        widgets: {
          count: { data: { value: 2 } },
          total: { data: { value: 2 } },
          'filter.customer': { data: { options: [{ value: 'Nord GmbH' }, { value: 'West' }] } },
        },
      },
    });
    t.match(await ask({ customer: "' or 1=1 --" }), {
      status: 200,
      body: { widgets: { count: { data: { value: 0 } }, total: { data: { value: 2 } } } },
    });
    for (const filter of [{ size: 'huge' }, { other: 'x' }, { least: { $gt: 1 } }, { least: 'x' }, []])
      t.match(await ask(filter), { status: 400, body: { error: 'VALIDATION_ERROR' } });
    const file = await fetch(
      `${url}/api/public/dashboards/${shared.path.split('/').at(-1)}/widgets/rows/export?filter=${encodeURIComponent('{"customer":"West"}')}`,
    );
    t.equal(await file.text(), 'customer,amount\r\nWest,99\r\n');
  });

  t.test('members choose in the same way, inside the page', async (t) => {
    const profile = await servedProfile(served);
    const { page, complaints } = await open(t, `${url}/dashboards/${shared.id}?filter.least=50`, profile);
    const found = page.getByRole('article', { name: 'Found' });
    await found.getByText('1', { exact: true }).waitFor();
    t.equal(await page.getByLabel('At least').inputValue(), '50');
    const view = page.getByRole('link', { name: 'View', exact: true });
    t.equal(await view.getAttribute('aria-current'), 'page', 'filters change nothing about the view');
    const whole = page.getByRole('article', { name: 'Shares' }).locator('.pie-svg path').first();
    t.match(await whole.getAttribute('d'), /^M100\.00 2\.00A/, 'one slice is a whole circle');
    await checkLooks(t, page);
    await page.getByLabel('Customer').selectOption('Nord GmbH');
    await found.getByText('0', { exact: true }).waitFor();
    await page.waitForURL(/filter\.least=50&filter\.customer=Nord/);
    await page.getByRole('button', { name: 'Reset' }).click();
    await found.getByText('2', { exact: true }).waitFor();
    t.equal(new URL(page.url()).search, '');
    t.same(complaints, []);
  });
});
