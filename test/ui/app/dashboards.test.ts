import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { renderSVG } from 'uqr';
import { ofFullList } from '../../support/fault-list.ts';
import { tellOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks, onePage } from '../support/app-tests.ts';
import { signedInProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const YAML = `title: Orders
allow_public_input: false
pages:
  - id: overview
    title: Overview
    widgets:
      - { id: count, type: stat, title: Orders in all, connector: target, method: query,
          args: { sql: "select count(*) as n from orders" }, value_expr: "data[0].n" }
  - id: own
    title: For us
    public: false
    widgets:
      - { id: again, type: action, label: Load again, run: { job: true } }
`;

interface Dashboard {
  readonly id: number;
  readonly name: string;
  readonly yaml_content: string;
  readonly version: number;
}

await appTests(async (open) => {
  const { app, root, url, api, templateId, sourceId, targetId } = await tellOrders(t);
  const visit = onePage(t, open, url, signedInProfile(url, root.visitor));

  t.test('a dashboard template is written, and a new job has its dashboard', async (t) => {
    const { page, complaints } = await visit('/templates');
    await page.getByRole('searchbox', { name: 'Search' }).fill('ord');
    await checkLooks(t, page);
    await page.getByRole('link', { name: /^Orders/ }).click();
    await page.getByRole('link', { name: /load.*orders/ }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Dashboards' }).last().click();
    await page.getByText('its jobs get no dashboard').waitFor();
    await page.getByRole('link', { name: 'New dashboard template' }).click();
    await page.getByText('No problems').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Overview');
    const text = page.getByRole('textbox', { name: 'YAML: New dashboard template' });
    await text.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(YAML.replace('target, method', 'nowhere, method'));
    await page.getByRole('button', { name: /nowhere/ }).waitFor();
    await checkLooks(t, page);
    await text.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(YAML);
    await page.getByText('No problems').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    t.same(complaints, []);
    const job = await api.post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, {
      name: 'Süd: orders',
      connector_mapping: { source: sourceId, target: targetId },
    });
    t.match(await api.get(`/api/jobs/${job.id}/dashboards`), {
      result: [{ name: 'Overview', job_name: 'Süd: orders' }],
    });
  });

  t.test('a link that is followed right after typing a search is not lost', ofFullList, async (t) => {
    const { page } = await visit('/templates');
    await page.getByRole('link', { name: /^Orders/ }).waitFor();
    // The code of the next screen takes longer than the search waits for the typing to pause.
    await page.route('**/*.js', async (route) => {
      await delay(1_000);
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search' }).fill('ord');
    await page.getByRole('link', { name: /^Orders/ }).click();
    await page.getByRole('link', { name: /load.*orders/ }).waitFor();
    t.match(page.url(), /\/templates\/\d+/);
  });

  t.test('a dashboard is looked at, shared and updated from its template', async (t) => {
    const { result } = await api.get<{ result: Dashboard[] }>('/api/dashboards');
    const [dashboard] = result;
    if (dashboard === undefined) throw new Error('The job has no dashboard');
    const path = `/api/dashboards/${dashboard.id}`;
    const { page, complaints, context } = await visit('/dashboards');
    await page.getByRole('row', { name: /Overview.*Süd: orders.*None/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing');
    await page.getByText('No dashboard matches').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('VERV');
    await page.getByRole('row', { name: /Overview.*Süd: orders.*None/ }).waitFor();
    t.match(page.url(), /\?q=VERV$/);
    await checkLooks(t, page);
    await page.getByRole('link', { name: /^Overview/ }).click();
    await page.getByRole('article', { name: 'Orders in all' }).getByText('2', { exact: true }).waitFor();
    await checkLooks(t, page);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('link', { name: 'Connectors' }).waitFor({ state: 'hidden' });
    await page.getByRole('article', { name: 'Orders in all' }).waitFor();
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('tab', { name: 'For us' }).click();
    await page.getByRole('button', { name: 'Load again' }).waitFor();

    await page.getByRole('link', { name: 'Share' }).click();
    await page.getByText('For us').waitFor();
    await page.getByText('not shown, with its widget').waitFor();
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('The link requires a password').waitFor();
    await page.getByText('QR code', { exact: true }).click();
    await checkLooks(t, page);
    const address = await page.getByText('/share/').textContent();
    const code = page.getByRole('img', { name: 'QR code of the public link' });
    const drawn = `data:image/svg+xml,${encodeURIComponent(renderSVG(address ?? ''))}`;
    t.equal(await code.getAttribute('src'), drawn);
    t.equal(await page.evaluate<number>(`document.querySelector('img.qr').naturalWidth > 0 ? 1 : 0`), 1);
    const stranger = await context.newPage();
    await stranger.goto(address ?? '');
    await stranger.getByLabel('Password').waitFor();
    await stranger.close();
    await page.getByRole('checkbox', { name: 'Remove the password' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Anyone with the link sees').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Only people with an account').waitFor();
    t.match(await api.get(path), { shared: false, share_has_password: false });
    await api.post(`${path}/share`, { expires_at: new Date(app.clock.now() + 1_500).toISOString() });
    app.clock.advance(1_500);
    await page.reload();
    await page.getByText('The public link, which shows no data any more, expired').waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Ours');
    await page.getByRole('textbox', { name: /^YAML/ }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# ours\n');
    await page.keyboard.press('Control+s');
    await until('it is saved', 20_000, async () => {
      const { name, yaml_content } = await api.get<Dashboard>(path);
      return name === 'Ours' && yaml_content.includes('# ours');
    });
    await page.getByRole('link', { name: 'Template', exact: true }).click();
    await page.getByText('1 dashboard differs').waitFor();
    await page.getByText('an update discards those edits').waitFor();
    await page.getByText('Changes', { exact: true }).click();
    await page.getByText('-# ours').waitFor();
    await checkLooks(t, page);
    t.ok(await page.getByRole('button', { name: 'Update 0 dashboards' }).isDisabled());
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Update 1 dashboard' }).click();
    await page.getByText('Every dashboard matches the template').waitFor();
    t.equal((await api.get<Dashboard>(path)).yaml_content, YAML);
    t.same(
      complaints.filter((one) => !/404|401/.test(one)),
      [],
      'but for the link that is not there',
    );
  });

  t.test('everything is reached by its name', ofFullList, async (t) => {
    const { page, complaints } = await visit('/');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await dialog.getByRole('option', { name: 'Dead letters' }).waitFor();
    await checkLooks(t, page);
    await page.keyboard.type('nord');
    await dialog.getByRole('option', { name: /Nord: orders.*Job/ }).waitFor();
    await dialog.getByRole('option', { name: /Orders of Nord.*Connector/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Nord: orders' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('1');
    await dialog.getByRole('option', { name: 'Job run 1' }).click();
    await page.waitForURL(`${url}/job-runs/1`);
    await page.getByRole('button', { name: 'Go to…' }).click();
    await page.keyboard.type('nothing of this name');
    await dialog.getByText('No matches').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    t.same(complaints, []);
  });
});
