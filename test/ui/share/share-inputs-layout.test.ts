// Long list: it walks through a screen of the page in a browser; quick: test/ui/share/share-page.test.ts, test/ui/kit/option-list.test.ts.
import t from 'tap';
import { phone, saveButton, settingsForm, shareTests, wide } from '../support/share-tests.ts';

// What runs in the page is text: these files know nothing of the DOM.
const layoutShift = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 200);
})`;
const unnamed = `[...document.querySelectorAll('input, select, button, [role=listbox], [role=dialog]')]
  .filter((element) => !element.labels?.length && !element.ariaLabel && !element.textContent.trim()
    && !element.getAttribute('aria-labelledby'))
  .map((element) => element.outerHTML)`;

await shareTests((open) => {
  for (const [name, size] of Object.entries({ phone, wide })) {
    t.test(`a page of inputs fits a ${name} screen, and nothing moves after it is painted`, async (t) => {
      const { page, complaints } = await open(t, 'inputs', size);
      await page.getByText('1 to 25 of 230').waitFor();
      t.equal(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), 0);
      const shift = await page.evaluate<number>(layoutShift);
      t.ok(shift < 0.01, `layout shift ${shift}`);
      t.same(await page.evaluate<string[]>(unnamed), [], 'every control has a name');
      t.same(complaints, []);
    });
  }

  t.test('a list of options lies within the window, also over a dialog, and nothing clips it', async (t) => {
    const { page } = await open(t, 'inputs', phone);
    const inView = async () => {
      const box = await page.getByRole('listbox').boundingBox();
      t.ok(box !== null && box.x >= 0 && box.y >= 0);
      t.ok(box !== null && box.x + box.width <= 390 && box.y + box.height <= 844);
    };
    await page.getByRole('combobox', { name: 'Target of row 3' }).click();
    await page.getByRole('option', { name: 'joined_on' }).waitFor();
    await inView();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Load everything again' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Mode' }).click();
    await page.getByRole('option', { name: 'Last month' }).click();
    t.equal(await page.getByRole('dialog').getByRole('combobox').inputValue(), 'Last month');
  });

  t.test('a touch screen shows a few options as its own list', async (t) => {
    const { page, server } = await open(t, 'inputs', { ...phone, hasTouch: true, isMobile: true });
    const form = settingsForm(page);
    await form.getByLabel('Region').selectOption({ label: 'Asia and Pacific' });
    await form.getByRole('combobox', { name: 'City' }).tap();
    await page.getByRole('option', { name: 'Osaka' }).tap();
    await saveButton(page).tap();
    await form.getByText('Saved', { exact: true }).waitFor();
    t.match(server.inputs.savedValues(), { region: 'ap', city: 'Osaka' });
  });
});
