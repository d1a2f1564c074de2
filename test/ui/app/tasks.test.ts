// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/tasks/task-routes.test.ts, test/modules/tasks/task-preview-routes.test.ts.
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

interface Task {
  readonly id: number;
  readonly name: string;
  readonly yaml_content: string;
  readonly version: number;
}

await appTests(async (open) => {
  const { served } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const { result } = await api.get<{ result: Task[] }>('/api/tasks');
  const orders = result[0];
  if (orders === undefined) throw new Error('The scene has no task');
  const path = `/api/tasks/${orders.id}`;

  t.test('a task is found, read, traced to what runs it, and an old version is restored', async (t) => {
    await api.put(path, {
      yaml_content: orders.yaml_content.replace('version: 1', 'version: 1\nlabels: {}'),
    });
    const { page, complaints } = await open(t, `${url}/tasks`, profile);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing of this name');
    await page.getByText('No tasks match').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('orders');
    await page.getByRole('row', { name: /orders.*csv, sqlite.*2/ }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: /^orders/ }).click();
    const text = page.getByRole('textbox', { name: 'YAML: orders' });
    await text.getByText('dead_letter').first().waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Where used' }).click();
    await page.getByRole('row', { name: /Nord: orders.*load.*1/ }).waitFor();
    await page
      .getByRole('row', { name: /Orders.*load/ })
      .first()
      .waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByText('+labels: {}').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Restore: 1' }).click();
    await page.getByText('-labels: {}').waitFor();
    t.match(await api.get(path), { version: 3, yaml_content: orders.yaml_content });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/pinned/)
      .waitFor();
    t.match(complaints, [/409/]);
  });

  t.test('a task is written with its problems in place, and a draft outlives the page', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    await page.getByText('No problems').waitFor();
    await text.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('descripton: Copies\n');
    await page.getByRole('button', { name: /Line 2: .*description/ }).waitFor();
    await page.locator('.cm-lintRange-error').first().waitFor();
    await checkLooks(t, page);
    await page.reload();
    await page.getByText('Not saved yet').waitFor();
    await text.getByText('descripton').waitFor();
    await page.getByRole('button', { name: /Line 2/ }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.type('description: Copies');
    await page.getByText('No problems').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    t.notOk(
      await page.evaluate<boolean>('document.activeElement.classList.contains("yaml-editor")'),
      'Tab leaves it',
    );
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'my_task' }).waitFor();
    t.equal(await page.getByText('Not saved yet').count(), 0);
    t.same(complaints, []);
  });

  t.test('what could not be checked while the server was lost is checked once it is back', async (t) => {
    const { page } = await open(t, `${url}/tasks/new`, profile);
    await page.getByText('No problems').waitFor();
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('textbox', { name: 'YAML: New task' }).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.insertText('nonsense: 1\n');
    await page.getByText('The server cannot be reached').first().waitFor();
    t.equal(await page.getByText('No problems').count(), 0, 'nobody knows');
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: /Line 1: .*nonsense/ }).waitFor();
    await page.reload();
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: /Line 1: .*nonsense/ }).waitFor();
  });

  t.test('a task is tried on some rows before it is saved, and run once', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/${orders.id}?view=edit`, profile);
    const tried = page.getByRole('region', { name: 'Preview' });
    await tried.getByLabel(/^source/).selectOption('Orders of Nord');
    await tried.getByLabel(/^target/).selectOption('Warehouse');
    await tried.getByLabel('args').fill('[]');
    await tried.getByRole('button', { name: 'Preview' }).click();
    await tried.getByText('must be a JSON object').waitFor();
    await tried.getByLabel('args').fill('{}');
    await tried.getByText('Record as an example').click();
    await tried.getByLabel('Name of the example').fill('orders of a day');
    await tried.getByRole('button', { name: 'Preview' }).click();
    const shape = tried.getByRole('listitem', { name: 'shape' });
    await shape.getByText(/2 out .* 3 failed/).waitFor();
    await shape
      .getByText(/31\.02\.2026/)
      .first()
      .waitFor();
    await tried
      .getByRole('listitem', { name: 'write' })
      .getByText(/^Would have written \d rows? to \S+: merge by /)
      .waitFor();
    await tried.getByText('"name": "orders of a day"').waitFor();
    await checkLooks(t, page);
    const value = tried.getByRole('region', { name: 'Expression at the cursor' });
    await value.getByText('Place the cursor in an expression').waitFor();
    await page.getByRole('textbox', { name: 'YAML: orders' }).getByText('cast').click();
    // The first one leads to the end of the shown line, which may be broken.
    await page.keyboard.press('End');
    await page.keyboard.press('End');
    await page.keyboard.insertText('\n      - set: { customer: $uppercase(item.customer) }');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await value.getByText('"NORD GMBH"', { exact: true }).waitFor();
    await value.getByLabel('Row of read').selectOption({ index: 2 });
    await value.getByText(/A preceding operation rejects the row: Column "amount": "n\/a"/).waitFor();
    await value.getByLabel('Row of read').selectOption({ index: 0 });
    await page.keyboard.press('Escape');
    await checkLooks(t, page);
    await page.getByRole('textbox', { name: 'YAML: orders' }).getByText('$uppercase').click();
    await page.keyboard.press('End');
    await page.keyboard.press('End');
    await page.keyboard.insertText('\n      - set: { currency: job_config.options.currency }');
    await tried.getByText('Without one, job_config is empty').waitFor();
    await tried.getByLabel('job_config of').selectOption('Nord: orders');
    await tried.getByRole('button', { name: 'Preview' }).click();
    await shape.getByRole('cell', { name: 'EUR' }).first().waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByRole('button', { name: 'Run once' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run orders once?' });
    await dialog.getByLabel(/^source/).selectOption('Orders of Nord');
    await dialog.getByLabel(/^target/).selectOption('Warehouse');
    await checkLooks(t, page);
    await dialog.getByRole('button', { name: 'Run once' }).click();
    await page.waitForURL(/\/runs\/\d+$/);
    await page
      .getByText(/With warnings|Succeeded/)
      .first()
      .waitFor();
    t.same(complaints, []);
  });

  t.test('two who save the same task see both texts', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/${orders.id}?view=edit`, profile);
    const before = await api.get<Task>(path);
    await page.getByRole('textbox', { name: 'YAML: orders' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('timeout: 5m\n');
    await api.put(path, { yaml_content: before.yaml_content.replace('steps:', 'deadline: 1h\nsteps:') });
    await page.keyboard.press('Control+s');
    const conflict = page.getByRole('alert', { name: 'Someone else has saved a newer version' });
    await conflict.getByText('+timeout: 5m').waitFor();
    await conflict.getByText('-deadline: 1h').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: /Keep mine/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const after = await until('the second save', 20_000, async () => {
      const task = await api.get<Task>(path);
      return task.version === before.version + 2 && task;
    });
    t.match(after.yaml_content, /timeout: 5m/);
    t.notMatch(after.yaml_content, 'deadline');
    t.match(complaints, [/412/]);
  });
});
