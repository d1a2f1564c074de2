// Long list: it walks through a screen of the page in a browser; quick: test/ui/share/share-page.test.ts, test/ui/inputs/press.test.ts, test/modules/dashboard-widgets/input/widget-action.test.ts.
import t from 'tap';
import { hasFocus, type OpenShare, shareTests } from '../support/share-tests.ts';

await shareTests((open) => {
  pressTests(open);
  refusalTests(open);
});

function pressTests(open: OpenShare): void {
  t.test('an action asks for its input and whether it is meant, acts once, and then waits', async (t) => {
    const { page, server, complaints } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Run it now' });
    const button = card.getByRole('button', { name: 'Load everything again' });
    await button.waitFor();
    t.match(await card.textContent(), /Last run 5 minutes ago.*success/);
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Load everything again' });
    await dialog.getByText('This empties the target tables first.').waitFor();
    await dialog.getByLabel('Reason').fill('wrong');
    await dialog.getByRole('button', { name: 'Load everything again' }).click();
    await dialog.getByText('"Reason" says nothing').waitFor();
    t.ok(await hasFocus(dialog.getByLabel('Reason')), 'the first field that is wrong has the focus');
    await dialog.getByLabel('Reason').fill('A new field');
    await dialog.getByRole('combobox', { name: 'Mode' }).click();
    await page.getByRole('option', { name: 'Last month' }).waitFor();
    await page.keyboard.press('Escape');
    t.ok(await dialog.isVisible(), 'Escape closes the list alone');
    await dialog.getByRole('button', { name: 'Load everything again' }).click();
    await card.getByText('Loading has begun').waitFor();
    t.ok(await hasFocus(button));
    t.match(await card.textContent(), /Available again in [12] s/);
    t.equal(await button.getAttribute('aria-disabled'), 'true');
    await button.click({ force: true });
    t.equal(await dialog.count(), 0);
    const presses = server.inputs.calls.filter(({ what }) => what === 'action');
    t.same(presses.at(-1)?.body, { input: { reason: 'A new field', mode: 'full' } });
    t.match(presses.at(-1)?.pressKey, /^[0-9a-f]{32}$/);
    t.not(presses[0]?.pressKey, presses[1]?.pressKey);
    await card.getByText('Available again').waitFor({ state: 'detached' });
    t.equal(await button.getAttribute('aria-disabled'), null);
    t.same(
      complaints.filter((text) => !text.includes('400')),
      [],
    );
  });

  t.test('a double click acts once, and everything on the page is renewed', async (t) => {
    const { page, server } = await open(t, 'inputs');
    server.inputs.pressMs = 1500;
    const card = page.getByRole('article', { name: 'Check the connection' });
    await card.getByRole('button').dblclick();
    await card.getByText('Working…').waitFor();
    await card.getByText('The connection works').waitFor();
    t.equal(server.inputs.calls.filter(({ what }) => what === 'action').length, 1);
    const presses = page.getByRole('article', { name: 'Presses' });
    await presses.getByText('1', { exact: true }).waitFor();
  });
}

function refusalTests(open: OpenShare): void {
  t.test('an action that is not possible says why; Escape leaves the dialog', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Archive' });
    await card.getByRole('button').waitFor();
    t.match(await card.textContent(), /There is nothing to archive yet\./);
    await card.getByRole('button').click({ force: true });
    await page.getByRole('button', { name: 'Load everything again' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.equal(server.inputs.calls.filter(({ what }) => what === 'action').length, 0);
  });

  t.test('a press whose fate nobody knows is the same press when it is tried again', async (t) => {
    const { page, server } = await open(t, 'inputs');
    const card = page.getByRole('article', { name: 'Check the connection' });
    let cut = true;
    const keys: (string | undefined)[] = [];
    await page.route('**/ping/action', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (cut) await route.abort();
      else await route.continue();
    });
    await card.getByRole('button').click();
    await card.getByText('this may or may not have started').waitFor();
    cut = false;
    await card.getByRole('button').click();
    await card.getByText('The connection works').waitFor();
    await card.getByRole('button').click();
    await page.getByRole('article', { name: 'Presses' }).getByText('2', { exact: true }).waitFor();
    t.equal(keys[0], keys[1]);
    t.not(keys[1], keys[2]);
    t.equal(server.inputs.calls.filter(({ what }) => what === 'action').length, 2);
  });
}
