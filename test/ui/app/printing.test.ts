// Long list: it prints a dashboard from a browser; quick: test/ui/app/frame.test.ts, test/ui/texts-outside.test.ts.
import type { Page } from 'playwright-core';
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, seriousProblems } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const YAML = `title: Numbers
pages:
  - id: rows
    title: Rows
    widgets:
      - { id: rows, type: table, title: All rows, searchable: true, connector: target, method: query,
          args: { sql: "with recursive n(i) as (select 1 union all select i + 1 from n where i < 160) select i, 'row ' || i as name from n" } }
      - { id: after, type: stat, title: After the rows, connector: target, method: query, args: { sql: "select 7 as n" }, value_expr: "data[0].n" }
  - id: charts
    title: Charts
    widgets:
      - { id: chart, type: bar_chart, title: Course, connector: target, method: query,
          args: { sql: "select 'a' as x, 2 as y union all select 'b', 3" }, x_expr: item.x, series: [{ label: Count, value_expr: item.y }] }
  - { id: none, title: Nothing yet, widgets: [] }
`;

const rowsHeightMax = 260;

await appTests(async (open) => {
  const { served, templateId, sourceId, targetId } = await serveOrders(t);
  const { url, api } = served;
  await api.post(`/api/job-templates/${templateId}/dashboard-templates`, {
    name: 'Numbers',
    yaml_content: YAML,
  });
  await api.post(`/api/job-templates/${templateId}/jobs`, {
    name: 'numbers',
    connector_mapping: { source: sourceId, target: targetId },
  });
  const { result } = await api.get<{ result: { id: number }[] }>('/api/dashboards');
  const id = result[0]?.id;
  const { public_url: address } = await api.post<{ public_url: string }>(`/api/dashboards/${id}/share`, {});
  const profile = await servedProfile(served);

  /** How often the page has asked the browser to print; nothing is printed. */
  async function watchPrints(page: Page): Promise<() => Promise<number>> {
    await page.evaluate<void>('window.prints = 0; window.print = () => { window.prints += 1; }');
    return () => page.evaluate<number>('window.prints');
  }

  const titles = (page: Page) => page.locator('.printed-title').allInnerTexts();

  for (const [where, path, options] of [
    ['inside the page', `${url}/dashboards/${id}`, profile],
    ['of a public link', new URL(address, url).href, {}],
  ] as const)
    t.test(`a dashboard ${where} is printed with all of its tabs, once their data are there`, async (t) => {
      const { page, complaints } = await open(t, path, options);
      await page.getByRole('article', { name: 'After the rows' }).getByText('7', { exact: true }).waitFor();
      const prints = await watchPrints(page);
      const alone = pagesOf(await page.pdf({ format: 'A4' }));
      await page.getByRole('button', { name: 'Print' }).click();
      await until('the page asks to print', 20_000, async () => (await prints()) === 1);
      t.same(await titles(page), ['Rows', 'Charts', 'Nothing yet']);
      const rows = page.getByRole('article', { name: 'All rows' }).getByRole('row');
      t.equal(await rows.count(), 161, 'a table has all of its rows');
      t.equal(await page.locator('.skeleton').count(), 0);
      await page
        .getByRole('img', { name: /Bar chart/ })
        .locator('canvas')
        .waitFor();
      t.same(await seriousProblems(page), []);
      await page.emulateMedia({ media: 'print' });
      await page.getByRole('tablist').waitFor({ state: 'hidden' });
      await page.emulateMedia({ media: null });
      const paper = pagesOf(await page.pdf({ format: 'A4' }));
      t.ok(paper > alone, `${paper} pages, ${alone} of the open tab`);

      await page.evaluate<boolean>('dispatchEvent(new Event("afterprint"))');
      await page.locator('.printed-title').first().waitFor({ state: 'detached' });
      t.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Rows');
      await page.keyboard.press('ControlOrMeta+p');
      await until('the keys do the same', 20_000, async () => (await prints()) === 2);
      t.same(complaints, []);
    });

  t.test('the few rows that a search leaves take no more paper than they need', async (t) => {
    const { page } = await open(t, `${url}/dashboards/${id}`, profile);
    await page.getByRole('searchbox', { name: 'Search in All rows' }).fill('row 150');
    await page.getByText('1 of 160').waitFor();
    await page.emulateMedia({ media: 'print' });
    const card = await page.getByRole('article', { name: 'All rows' }).boundingBox();
    t.ok((card?.height ?? rowsHeightMax) < rowsHeightMax, `${card?.height} px`);
    await page.getByText('Only this tab is printed').waitFor();
  });
});

/** Pages of a PDF as Chromium writes it. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}
