// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/yaml-completion.test.ts, test/ui/app/editor/expression-completion.test.ts, test/ui/app/editor/format-yaml.test.ts.
import t from 'tap';
import { serveOrders } from '../../../support/orders-scene.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const { served } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  await api.post('/api/connectors', { name: 'Nowhere', type: 'csv', config: { path: '/nowhere/none.csv' } });

  t.test('keys and values are completed, and say what they mean', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - { id: more, kind: ex');
    await page.getByRole('option', { name: 'extract' }).click();
    await page.keyboard.type(', curs');
    await page.getByRole('option', { name: 'cursor' }).waitFor();
    await page.locator('.cm-completionInfo').waitFor();
    await checkLooks(t, page);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await text.getByText('kind: extract, cursor:').waitFor();
    await page.keyboard.type('{ field: id }, connector: so');
    await page.getByRole('option', { name: 'source' }).waitFor();
    await page.keyboard.press('Escape');
    await text.getByText('steps', { exact: true }).hover();
    await page.getByText(/Steps run in order/).waitFor();
    t.same(complaints, []);
  });

  t.test('a step is written by choosing alone: what belongs below a key begins there', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    const options = page.getByRole('listbox').getByRole('option');
    const take = async (shown: string) => {
      await options.filter({ hasText: shown }).first().waitFor();
      // A list that came in the same moment takes no key.
      await page.waitForTimeout(200);
      await page.keyboard.press('Enter');
    };
    const choose = async (typed: string) => {
      await options.first().waitFor();
      await page.keyboard.type(typed);
      await take(typed);
    };
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  ');
    await page.keyboard.press('Control+Space');
    await take('- kind');
    await options.filter({ hasText: 'transform' }).waitFor();
    await page.keyboard.type('trans');
    await page.getByText('Changes rows with operations, one after another.').waitFor();
    await take('transform');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Space');
    await choose('id');
    await page.keyboard.type('shape');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Space');
    await choose('ops');
    await choose('cast');
    await text.getByText('cast', { exact: true }).waitFor();
    const lines = async () => (await text.locator('.cm-line').allTextContents()).slice(-5);
    const written = ['  - kind: transform', '    id: shape', '    ops:', '      - cast:'];
    t.same(await lines(), [...written, ' '.repeat(10)]);
    await page.keyboard.type('amount: de');
    await options.filter({ hasText: 'decimal' }).waitFor();
    t.same(await lines(), [...written, `${' '.repeat(10)}amount: de`]);
    t.same(complaints, []);
  });

  t.test('methods and arguments are those of the connector', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - { id: more, kind: extract, connector: source, meth');
    await page.getByRole('option', { name: 'method' }).click();
    await page.getByRole('option', { name: /^read/ }).waitFor();
    t.equal(await page.getByRole('option', { name: /^list/ }).count(), 0, 'of another type');
    await checkLooks(t, page);
    await page.getByRole('option', { name: /^read/ }).click();
    await page.keyboard.type(', args: { delim');
    await page.getByRole('option', { name: 'delimiter' }).waitFor();
    await page.getByText(/Separator of the fields/).waitFor();
    await page.getByRole('option', { name: 'delimiter' }).click();
    await text.getByText('method: read, args: { delimiter:').waitFor();
    await page.keyboard.press('Escape');
    await text.getByText('delimiter', { exact: true }).hover();
    await page
      .locator('.cm-meaning')
      .getByText(/Separator of the fields/)
      .waitFor();
    t.same(complaints, []);
  });

  t.test('tables and columns are those of the connectors that were chosen', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    const tried = page.getByRole('region', { name: 'Preview' });
    await tried.getByLabel(/^source/).selectOption('Orders of Nord');
    await tried.getByLabel(/^target/).selectOption('Warehouse');
    await page.reload();
    await tried.locator('option:checked', { hasText: 'Warehouse' }).waitFor({ state: 'attached' });
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - { id: shape, kind: transform, input: read, ops: [{ cast: { am');
    await page.getByRole('option', { name: /^amount/ }).click();
    await text.getByText('cast: { amount:').waitFor();
    await page.keyboard.type('number } }] }');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Home');
    await page.keyboard.type('  - { id: more, kind: load, input: shape, connector: target, object: ord');
    await page.getByRole('option', { name: /^orders/ }).waitFor();
    await checkLooks(t, page);
    await page.keyboard.press('Enter');
    await text.getByText('object: orders').waitFor();
    t.same(complaints, []);
  });

  t.test('names and functions of expressions are completed', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    await page
      .getByRole('region', { name: 'Preview' })
      .getByLabel(/^source/)
      .selectOption('Orders of Nord');
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - { id: shape, kind: transform, input: read, ops: [{ filter: $round(it');
    await page.getByRole('option', { name: 'item' }).click();
    await page.keyboard.type('.am');
    await page.getByRole('option', { name: /^amount/ }).click();
    await page.keyboard.type(') > $su');
    await page.getByRole('option', { name: /^\$sum/ }).waitFor();
    await page
      .locator('.cm-completionInfo')
      .getByText(/Their sum|Part of the text/)
      .waitFor();
    await checkLooks(t, page);
    await page.keyboard.press('Escape');
    await page.keyboard.type('m(1) }] }');
    await text.getByText('$round(item.amount) > $sum(1)').waitFor();
    t.same(complaints, []);
  });

  t.test('a connector that cannot be reached completes nothing, and a line says so', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    await page
      .getByRole('region', { name: 'Preview' })
      .getByLabel(/^source/)
      .selectOption('Nowhere');
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(
      '  - { id: more, kind: extract, connector: source, method: read, args: { file: a',
    );
    await page.getByText('cannot be reached: source').waitFor();
    await checkLooks(t, page);
    await page.keyboard.type('b }, inp');
    await page.getByRole('option', { name: 'kind' }).waitFor({ state: 'detached' });
    await text.getByText('file: ab }, inp').waitFor();
    t.match(complaints, [/500/]);
    t.equal(complaints.length, 1, 'it is not asked again at each key');
  });

  t.test('a text is formatted by a key, a button or the palette, and undone at once', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    await text.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# mine\nlabels:   {a:   b}\n');
    const typed = text.getByText('{a:   b}');
    const formatted = text.getByText('labels: { a: b }');
    await page.keyboard.press('Shift+Alt+f');
    await formatted.waitFor();
    await text.getByText('# mine').waitFor();
    await page.keyboard.press('Control+z');
    await typed.waitFor();
    await page.getByRole('button', { name: 'Format' }).click();
    await formatted.waitFor();
    await page.keyboard.press('Control+z');
    await typed.waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('format');
    await page.getByRole('option', { name: 'Format the text Shift-Alt-F' }).waitFor();
    await checkLooks(t, page);
    await page.keyboard.press('Enter');
    await formatted.waitFor();
    await page.keyboard.type('}');
    await page.keyboard.press('Shift+Alt+f');
    await page.getByText('a text with problems cannot be formatted').waitFor();
    t.same(complaints, []);
  });
});
