// Long list: it walks through the forms of a page in a browser; quick: test/ui/share/share-page.test.ts, test/ui/kit/option-list.test.ts, test/ui/inputs/draft.test.ts.
import t from 'tap';
import {
  hasFocus,
  type OpenShare,
  phone,
  saveButton,
  settingsForm,
  shareTests,
} from '../support/share-tests.ts';

await shareTests((open) => {
  savingTests(open);
  optionTests(open);
  optionTroubleTests(open);
  conflictTests(open);
  pressTests(open);
});

function savingTests(open: OpenShare): void {
  t.test('problems stand under their fields and in a summary that gets the focus', async (t) => {
    const { page, server } = await open(t, 'inputs');
    await settingsForm(page).getByLabel('Name').fill('');
    await settingsForm(page).getByLabel('Contact').fill('nobody');
    await saveButton(page).click();
    const summary = settingsForm(page).getByRole('alert').filter({ hasText: 'There are 2 problems' });
    await summary.waitFor();
    t.ok(await hasFocus(summary));
    await summary.getByRole('button', { name: '"Contact" must be an email address' }).click();
    const contact = settingsForm(page).getByLabel('Contact');
    t.ok(await hasFocus(contact));
    t.equal(await contact.getAttribute('aria-invalid'), 'true');
    const described = (await contact.getAttribute('aria-describedby')) ?? '';
    t.match(await page.locator(`[id="${described}"]`).textContent(), /must be an email address/);
    t.equal(server.inputs.savedValues()['name'], 'Northwind');
    await contact.fill('somebody@example.com');
    await settingsForm(page).getByText('There is one problem').waitFor();
    t.equal(
      await settingsForm(page).locator('[data-edited]').textContent(),
      '"Contact" must be an email address',
    );
    await settingsForm(page).getByLabel('Name').fill('Southwind');
    await settingsForm(page).getByText('Edited, not saved yet').waitFor();
    await settingsForm(page).getByRole('button', { name: 'Discard' }).click();
    t.equal(await contact.inputValue(), 'data@example.com');
    t.equal(await settingsForm(page).getByText('Edited, not saved yet').count(), 0);
  });

  t.test('a German form reads numbers as it writes them, and refuses others in German', async (t) => {
    const { page, server } = await open(t, 'inputs', { locale: 'de-DE' });
    const form = page.getByRole('form').first();
    const batch = form.getByLabel('Rows at once');
    const save = form.getByRole('button', { name: /Save|Speichern/ });
    const before = server.inputs.savedValues()['batch'];
    for (const [text, problem] of [
      ['1.5', 'Das ist keine Zahl; schreiben Sie sie wie 1.234,5'],
      ['9.007.199.254.740.993', 'Diese Zahl hat mehr Stellen'],
    ] as const) {
      await batch.fill(text);
      await save.click();
      await form.getByRole('alert').getByText(problem).waitFor();
      t.equal(await batch.getAttribute('aria-invalid'), 'true', text);
      t.equal(server.inputs.savedValues()['batch'], before, `${text} is not sent`);
    }
    await batch.fill('1.500,5');
    await save.click();
    await form.getByRole('status').getByText('Gespeichert', { exact: true }).waitFor();
    t.equal(server.inputs.savedValues()['batch'], 1500.5);
    t.equal(await batch.inputValue(), '1500,5');
  });

  t.test('a field comes and goes with the draft, as the server says', async (t) => {
    const { page } = await open(t, 'inputs');
    const every = settingsForm(page).getByLabel('Minutes between loads');
    t.equal(await every.count(), 0);
    await settingsForm(page).getByRole('switch', { name: 'Keep it live' }).check();
    await every.waitFor();
    await settingsForm(page).getByRole('switch', { name: 'Keep it live' }).uncheck();
    await every.waitFor({ state: 'detached' });
  });

  t.test('a form that may only be read shows its values and the reason', async (t) => {
    const { page } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Limits' });
    await card.getByText('Free plan').waitFor();
    t.match(await card.textContent(), /Only your account manager changes these\./);
    t.equal(await card.getByRole('textbox').count(), 0);
    t.equal(
      await card.locator('dt', { hasText: 'Region' }).locator('xpath=../dd').textContent(),
      'United States',
    );
    t.equal(await card.getByRole('link').getAttribute('href'), 'https://example.com/plans');
  });
}

function optionTests(open: OpenShare): void {
  t.test('several are chosen by keyboard, searched by the server and loaded page by page', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const box = settingsForm(page).getByRole('combobox', { name: 'Accounts' });
    await settingsForm(page).getByRole('button', { name: 'Remove acc-31' }).waitFor();
    await box.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Account 01 CRM' }).waitFor();
    t.equal(await page.getByRole('option').count(), 20);
    await settingsForm(page).getByRole('button', { name: 'Remove Account 02' }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('option', { name: 'Account 40' }).waitFor();
    await box.fill('account 5');
    await page.getByRole('option', { name: 'Account 40' }).waitFor({ state: 'detached' });
    t.equal(await page.getByRole('option').count(), 10);
    await page.keyboard.press('Enter');
    await settingsForm(page).getByRole('button', { name: 'Remove Account 50' }).waitFor();
    t.equal(await box.getAttribute('aria-expanded'), 'true', 'the list stays for the next choice');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Backspace');
    t.equal(await settingsForm(page).getByRole('button', { name: 'Remove Account 50' }).count(), 0);
    const asked = server.inputs.calls.filter(
      ({ what, body }) => what === 'options' && body['q'] !== undefined,
    );
    t.same(
      asked.map(({ body }) => body['q']),
      ['account 5'],
      'a search waits until typing has stopped',
    );
  });
}

function optionTroubleTests(open: OpenShare): void {
  t.test(
    'options that cannot be loaded say so and are tried again; a page of all is searched here',
    async (t) => {
      const { page, server } = await open(t, 'inputs');
      server.inputs.optionsFail = true;
      const box = settingsForm(page).getByRole('combobox', { name: 'Tags' });
      await box.click();
      await page.getByText('The options are not available right now').waitFor();
      server.inputs.optionsFail = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('option', { name: 'finance' }).waitFor();
      const before = server.inputs.calls.length;
      await box.fill('al');
      await page.getByRole('option', { name: 'finance' }).waitFor({ state: 'detached' });
      t.same(await page.getByRole('option').allTextContents(), ['internal', 'sales']);
      await box.fill('zzz');
      await page.getByText('Nothing matches “zzz”').waitFor();
      t.equal(server.inputs.calls.length, before);
    },
  );
}

function conflictTests(open: OpenShare): void {
  t.test('where somebody else has saved, the draft stays until the reader chooses', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const name = settingsForm(page).getByLabel('Name');
    await name.fill('Mine');
    server.inputs.saveByOther({ values: { name: 'Theirs' } });
    await saveButton(page).click();
    await settingsForm(page).getByText('Someone else saved this while you were editing').waitFor();
    t.equal(await name.inputValue(), 'Mine');
    t.equal(server.inputs.savedValues()['name'], 'Theirs');
    await settingsForm(page).getByRole('button', { name: 'Keep mine' }).click();
    await saveButton(page).click();
    await settingsForm(page).getByText('Saved', { exact: true }).waitFor();
    t.equal(server.inputs.savedValues()['name'], 'Mine');
    await name.fill('Again');
    server.inputs.saveByOther({ values: { name: 'Theirs' } });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await settingsForm(page).getByRole('button', { name: 'Load their version' }).click();
    t.equal(await name.inputValue(), 'Theirs');
  });

  t.test('a change of another part of the configuration does not stand in the way of a save', async (t) => {
    const { page, server } = await open(t, 'inputs');
    await settingsForm(page).getByLabel('Name').fill('Mine');
    server.inputs.saveByOther({ rows: [] });
    await saveButton(page).click();
    await settingsForm(page).getByText('Saved', { exact: true }).waitFor();
    t.equal(server.inputs.savedValues()['name'], 'Mine');
  });

  t.test(
    'a refresh renews a form, but never what is typed; a draft outlives pages and the password',
    async (t) => {
      const { page, server } = await open(t, 'inputs');
      const name = settingsForm(page).getByLabel('Name');
      server.inputs.saveByOther({ values: { name: 'Renewed' } });
      await page.getByRole('button', { name: 'Refresh' }).click();
      // The page forbids `eval`, and so a wait for an expression.
      while ((await name.inputValue()) !== 'Renewed') await page.waitForTimeout(50);
      await name.fill('Typed');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('tab', { name: 'Other' }).click();
      await page.getByRole('tab', { name: 'Sync' }).click();
      t.equal(await name.inputValue(), 'Typed');
      server.lock();
      await saveButton(page).click();
      await page.getByLabel('Password').fill('headwind');
      await page.keyboard.press('Enter');
      await name.waitFor();
      t.equal(await name.inputValue(), 'Typed');
      server.revoke();
      await saveButton(page).click();
      await page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor();
    },
  );
}

function pressTests(open: OpenShare): void {
  t.test('what the server says of a draft moves no button between its press and its release', async (t) => {
    const { page, server } = await open(t, 'inputs', phone);
    const pressed = Promise.withResolvers<void>();
    // However slow the machine is, the answer comes after the press.
    await page.route('**/submit', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await settingsForm(page).getByRole('switch', { name: 'Keep it live' }).check();
    const box = await saveButton(page).boundingBox();
    if (box === null) throw new Error('The button has no place');
    const checks = () => server.inputs.calls.filter(({ body }) => body['dry_run'] === true).length;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    pressed.resolve();
    while (checks() === 0) await page.waitForTimeout(20);
    await page.waitForTimeout(150);
    t.same(await saveButton(page).boundingBox(), box, 'the field that the answer brings is not shown yet');
    await page.mouse.up();
    await settingsForm(page)
      .getByRole('alert')
      .filter({ hasText: '"Minutes between loads" is required' })
      .waitFor();
    t.ok(await settingsForm(page).getByLabel('Minutes between loads').isVisible());
  });

  t.test('a link that needs its password meanwhile is not taken away while a draft is typed', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const name = settingsForm(page).getByLabel('Name');
    await name.waitFor();
    server.lock();
    const refused = page.waitForResponse((response) => response.status() === 401);
    await name.fill('Typed');
    await refused;
    await page.waitForTimeout(300);
    t.equal(await name.inputValue(), 'Typed');
    await saveButton(page).click();
    await page.getByLabel('Password').waitFor();
  });
}
