// Long list: it walks through a screen of the page in a browser; quick: test/ui/share/share-page.test.ts, test/ui/kit/table-rows.test.ts, test/ui/chart-data.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks, phone } from '../support/app-tests.ts';
import { shareDashboard } from '../support/shared-dashboard.ts';

t.setTimeout(300_000);

const slices = Array.from({ length: 14 }, (_, at) => `{"l": "State ${at}", "v": ${100 - at}}`).join(', ');

const YAML = `title: Figures
widgets:
  - { id: long, type: stat, title: Long, source: job, value_expr: "123456789012345678", width: 2 }
  - { id: exact, type: stat, title: Exact, source: job, value_expr: "0.23", format: percent, decimals: 1, width: 2 }
  - { id: pie, type: pie_chart, title: States, source: job, width: 4,
      items_expr: '[${slices}, {"l": "State 0", "v": 50}, {"l": "Refunds", "v": -7}]' }
  - { id: texts, type: bar_chart, title: Texts, source: job, items_expr: '[{"x": "a", "y": "red"}, {"x": "b", "y": "blue"}]' }
  - { id: line, type: line_chart, title: Line, source: job, items_expr: '[{"x": 1, "y": 5}, {"x": 2, "y": 7}]', width: 12 }
  - { id: ids, type: table, title: Ids, source: job, items_expr: '[{"id": 1074, "share": 0.247}, {"id": 20, "share": 0.23}]', width: 6,
      columns: [{ key: id, format: text }, { key: share, format: percent, decimals: 1 }] }
  - { id: forty, type: explorer, title: Größe der Bücher, connector: source, method: read, args: { typed: false }, page_size: 25, export: true, width: 6 }
  - { id: people, type: people, title: People, source: job, width: 12,
      items_expr: '[{"name": "Ada", "email": "ada@example.com", "phone": "123", "href": "https://example.com/"}]' }
`;

const rowsCut = `[...document.querySelectorAll('.table-scroll')].map((room) => {
  const bottom = room.getBoundingClientRect().top + room.clientTop + room.clientHeight;
  return [...room.querySelectorAll('tbody tr')].filter((row) => {
    const { top, bottom: end } = row.getBoundingClientRect();
    return top < bottom - 1 && end > bottom + 1;
  }).length;
})`;

await appTests(async (open) => {
  const { served, templateId, sourceId, targetId } = await serveOrders(t);
  const { api, folder } = served;
  writeFileSync(
    join(folder, 'orders.csv'),
    `id,name\n${Array.from({ length: 40 }, (_, at) => `${at + 1},Book ${at + 1}`).join('\n')}\n`,
  );
  const shared = await shareDashboard(api, templateId, 'Figures', YAML, {
    source: sourceId,
    target: targetId,
  });

  const url = `${served.url}${shared.path}`;

  t.test('figures are whole: sums of equal labels, decimals, ids, long numbers, rows', async (t) => {
    const { page, complaints } = await open(t, url);
    const card = (name: string) => page.getByRole('article', { name, exact: true });
    await card('Größe der Bücher').getByText('Book 25').waitFor();
    await checkLooks(t, page);
    t.match(await card('States').locator('li').first().textContent(), /^State 0150/);
    t.equal(await card('States').locator('li').count(), 8);
    await card('States').getByRole('button', { name: 'Show all 15' }).click();
    t.match(await card('States').locator('li').last().textContent(), /Refunds-7–/);
    await card('States').getByText('Negative values have no slice').waitFor();
    t.match(await card('Texts').textContent(), /none of the values is a number/);
    t.match(await card('Exact').textContent(), /23\.0%/);
    t.match(await card('Ids').textContent(), /107424\.7%2023\.0%/);
    t.same(await page.evaluate(rowsCut), [0, 0]);
    t.match(await card('Größe der Bücher').textContent(), /1 to 25/);
    t.equal(await card('Größe der Bücher').locator('tbody tr:visible').count(), 25);
    for (const { viewport } of [{ viewport: { width: 1440, height: 900 } }, phone]) {
      await page.setViewportSize(viewport);
      const [height = 0, size = 0, beyond = 0] = await page.evaluate<number[]>(`(() => {
        const one = document.querySelector('[data-number]');
        const { height, right } = one.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(one).fontSize);
        return [height, size, right - one.closest('.card').getBoundingClientRect().right];
      })()`);
      t.ok(height < size * 2, 'on one line');
      t.ok(beyond < 0, 'inside its card');
    }
    t.same(complaints, []);
  });

  t.test('a file is named after what it shows', async (t) => {
    const { page } = await open(t, url);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    t.match((await download).suggestedFilename(), /^Größe-der-Bücher-\d{4}-\d\d-\d\d\.csv$/);
  });

  t.test('on paper nothing is cut', async (t) => {
    const { page } = await open(t, url);
    await page.getByText('Book 25').waitFor();
    await page.locator('canvas').first().waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    const drawn = (color: string) =>
      until(`the colour ${color}`, 10_000, () =>
        page.evaluate<boolean>(`(() => {
        const canvas = document.querySelector('canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4)
          if ([data[at], data[at + 1], data[at + 2], data[at + 3]].join() === '${color},255') return true;
        return false;
      })()`),
      );
    await drawn('93,180,208');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await drawn('31,111,139');
    const ground = await page.evaluate<string>(`getComputedStyle(document.documentElement).backgroundColor`);
    t.equal(ground, 'rgb(245, 246, 246)', 'paper is light, and so is what is drawn');
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.card *')]
      .filter((one) => one.clientWidth > 1 && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
      .filter((one) => !one.closest('.visually-hidden') && getComputedStyle(one).overflow !== 'visible')
      .map((one) => one.className)`);
    t.same(cut, []);
    // Paper is narrower than the screen on which the canvas was drawn.
    const wider = await page.evaluate<number>(`(() => {
      document.body.style.setProperty('width', '600px');
      const canvas = document.querySelector('canvas');
      return canvas.getBoundingClientRect().right - canvas.closest('.card').getBoundingClientRect().right;
    })()`);
    t.ok(wider <= 0, `the chart ends inside its card (${wider})`);
  });
});
