// Long list: it walks through a screen of the page in a browser; quick: test/ui/inputs/mapping-rows.test.ts, test/modules/dashboard-widgets/input/public-mapping.test.ts, test/ui/inputs/draft.test.ts.
import t from 'tap';
import { hasFocus, phone, shareTests } from '../support/share-tests.ts';

await shareTests((open) => {
  t.test('a mapping is changed by keyboard alone', async (t) => {
    const { page, server, complaints } = await open(t, 'inputs');
    const form = page.getByRole('form', { name: 'Field mapping' });
    await form.getByRole('button', { name: 'Add a row' }).focus();
    await page.keyboard.press('Enter');
    const source = form.getByRole('combobox', { name: 'Source of row 4' });
    t.ok(await hasFocus(source));
    await page.keyboard.type('pho');
    await page.getByRole('option', { name: 'phone' }).waitFor();
    await page.getByRole('option', { name: 'email' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    t.equal(await source.inputValue(), 'phone');
    await page.keyboard.press('Tab');
    await page.keyboard.type('town');
    await page.getByRole('option', { name: 'town' }).waitFor();
    await page.keyboard.press('Enter');
    await form.getByText('“town” is mapped twice').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'full_name' }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    t.equal(await form.getByRole('combobox', { name: 'Target of row 4' }).inputValue(), 'phone_number');
    t.equal(await form.getByText('is mapped twice').count(), 0);
    await form.getByRole('button', { name: 'Move row 4 up' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    t.ok(await hasFocus(form.getByRole('button', { name: 'Move row 2 up' })), 'the focus goes with the row');
    await form.getByRole('button', { name: 'Remove row 1' }).focus();
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await form.getByText('Saved', { exact: true }).waitFor();
    t.same(server.inputs.savedRows(), [
      { source_field: 'phone', target_field: 'phone_number' },
      { source_field: 'email', target_field: 'email_address' },
      { source_field: 'city', target_field: 'town' },
    ]);
    t.same(complaints, []);
  });

  t.test('a row says that its value is transformed, and what is wrong with it', async (t) => {
    const { page } = await open(t, 'inputs', phone);
    const form = page.getByRole('form', { name: 'Field mapping' });
    await form.getByText('transformed').waitFor();
    await form.getByRole('button', { name: 'Add a row' }).click();
    await form.getByRole('button', { name: 'Discard' }).click();
    t.equal(await form.getByRole('listitem').count(), 3);
    await form.getByRole('button', { name: 'Add a row' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    const summary = form.getByRole('alert').filter({ hasText: 'There are 2 problems' });
    await summary.getByRole('button', { name: 'Row 4: The target field must not be empty' }).click();
    const target = form.getByRole('combobox', { name: 'Target of row 4' });
    t.ok(await hasFocus(target));
    t.equal(await target.getAttribute('aria-invalid'), 'true');
    await form.getByRole('button', { name: 'Remove row 4' }).click();
    await summary.waitFor({ state: 'detached' });
    t.equal(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), 0);
  });

  t.test('where somebody else has saved a mapping, their rows are loaded on request only', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const form = page.getByRole('form', { name: 'Field mapping' });
    await form.getByRole('button', { name: 'Remove row 3' }).click();
    server.inputs.saveByOther({ rows: [{ source_field: 'owner', target_field: 'town' }] });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Someone else saved this').waitFor();
    t.equal(await form.getByRole('combobox', { name: 'Source of row 2' }).inputValue(), 'email');
    await form.getByRole('button', { name: 'Load their version' }).click();
    t.equal(await form.getByRole('combobox', { name: 'Source of row 1' }).inputValue(), 'owner');
    t.equal(await form.getByRole('combobox').count(), 2);
  });
});
