// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/definitions/job-labels.test.ts, test/modules/definitions/labelled-receivers.test.ts.
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const { served, jobId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const labelsNow = async () =>
    (await api.get<{ labels: Readonly<Record<string, string>> }>(`/api/jobs/${jobId}`)).labels;

  t.test('a job is labelled on its page, and jobs and runs are found by labels', async (t) => {
    const { page, complaints } = await open(t, `${url}/jobs/${jobId}`, profile);
    const labels = page.getByRole('region', { name: 'Labels' });
    const field = labels.getByLabel('New label');
    await field.fill('team: sales');
    await field.press('Enter');
    await labels.getByRole('button', { name: 'Remove: team:sales' }).waitFor();
    const long = `${'long '.repeat(19)}😀:${'مرحبا'.repeat(30)}`;
    for (const text of ['   ', ':nothing', '<b>urgent</b>', long]) {
      await field.fill(text);
      await field.press('Enter');
    }
    await until('all are saved', 20_000, async () => Object.keys(await labelsNow()).length === 3);
    t.match(await labelsNow(), { team: 'sales', '<b>urgent</b>': '' });
    await checkLooks(t, page);
    await page.goto(`${url}/jobs`);
    await page.getByRole('link', { name: 'team:sales' }).click();
    await page.waitForURL(/label=/);
    const filter = page.getByRole('form', { name: 'Filters' });
    await filter.getByRole('button', { name: 'Remove: team:sales' }).waitFor();
    await page.getByRole('link', { name: /Nord: orders/ }).waitFor();
    await checkLooks(t, page);
    await filter.getByLabel('Label', { exact: true }).fill('team:ops');
    await filter.getByLabel('Label', { exact: true }).press('Enter');
    await page.getByText('No jobs match these filters').waitFor();
    await filter.getByRole('button', { name: 'Remove: team:ops' }).click();
    await page.getByRole('link', { name: /Nord: orders/ }).waitFor();

    await page.goto(`${url}/runs?label=team%3Asales`);
    await page
      .getByRole('row', { name: /Nord: orders/ })
      .first()
      .waitFor();
    await filter.getByRole('button', { name: 'Remove: team:sales' }).click();
    await filter.getByLabel('Label', { exact: true }).fill('region');
    await filter.getByLabel('Label', { exact: true }).press('Enter');
    await page.getByText('No runs match these filters').waitFor();
    t.match(decodeURIComponent(page.url()), /label=\["region"\]/);
    await checkLooks(t, page);
    t.same(complaints, []);
  });

  t.test(
    'rows of runs show the labels of their jobs; home, dead letters and Ctrl-K find by them',
    async (t) => {
      const { page, complaints } = await open(t, `${url}/runs`, profile);
      await page
        .getByRole('row', { name: /Nord: orders/ })
        .first()
        .getByRole('link', { name: 'team:sales' })
        .click();
      await page.waitForURL(/runs\?label=/);
      await checkLooks(t, page);
      const filter = page.getByRole('form', { name: 'Filters' });
      await page.goto(`${url}/runs?kind=tasks&label=team%3Asales`);
      const taskRun = page.getByRole('row', { name: /load|orders/ }).first();
      await taskRun.getByRole('link', { name: 'Nord: orders' }).waitFor();
      await checkLooks(t, page);
      await taskRun.getByRole('link', { name: /#1/ }).click();
      const facts = page.getByRole('main').getByRole('list').first();
      await facts.getByRole('link', { name: 'Nord: orders' }).waitFor();
      await facts.getByRole('link', { name: 'team:sales' }).click();
      await page.waitForURL(/runs\?kind=tasks&label=/);
      const narrow = async (text: string) => {
        await filter.getByLabel('Label', { exact: true }).fill(text);
        await filter.getByLabel('Label', { exact: true }).press('Enter');
        await filter.getByRole('button', { name: `Remove: ${text}` }).waitFor();
      };
      await page.goto(`${url}/dead-letters`);
      const reasons = page.getByRole('region', { name: 'Reasons' });
      await reasons
        .getByText(/Nord: orders/)
        .first()
        .waitFor();
      await narrow('team:ops');
      await page.getByText('No rows match these filters').waitFor();
      await reasons.getByText('Nord: orders').first().waitFor({ state: 'detached' });
      await filter.getByRole('button', { name: 'Remove: team:ops' }).click();
      await narrow('team:sales');
      await reasons
        .getByText(/Nord: orders/)
        .first()
        .waitFor();
      await checkLooks(t, page);

      await page.goto(url);
      const recent = page.getByRole('region', { name: 'Recent' }).or(page.getByRole('main'));
      await recent
        .getByText(/Nord: orders/)
        .first()
        .waitFor();
      await narrow('team:ops');
      await page
        .getByText(/Nord: orders/)
        .first()
        .waitFor({ state: 'detached' });
      await filter.getByRole('button', { name: 'Remove: team:ops' }).click();
      await page
        .getByText(/Nord: orders/)
        .first()
        .waitFor();
      await checkLooks(t, page);

      for (const [typed, found, at] of [
        ['team:sales', 'Dead letters: team:sales', /dead-letters\?label=/],
        ['team', /^Nord: orders/, /jobs\/\d+/],
      ] as const) {
        await page.keyboard.press('ControlOrMeta+k');
        await page.getByRole('combobox', { name: 'Go to' }).fill(typed);
        await page
          .getByRole('listbox', { name: 'Go to' })
          .getByRole('option', { name: found })
          .first()
          .click();
        await page.waitForURL(at);
      }
      t.same(complaints, []);
    },
  );

  t.test('a label that somebody else changed meanwhile: both are shown, and none is lost', async (t) => {
    const { page, complaints } = await open(t, `${url}/jobs/${jobId}`, profile);
    const labels = page.getByRole('region', { name: 'Labels' });
    await labels.getByRole('button', { name: 'Remove: team:sales' }).waitFor();
    const job = await api.get<{ name: string; connector_mapping: object }>(`/api/jobs/${jobId}`);
    const { name, connector_mapping } = job;
    const theirs = () => api.put(`/api/jobs/${jobId}`, { name, connector_mapping, labels: { team: 'ops' } });
    await theirs();
    const add = async (text: string) => {
      await labels.getByLabel('New label').fill(text);
      await labels.getByLabel('New label').press('Enter');
    };
    await add('region:eu');
    const conflict = labels.getByRole('alert').filter({ hasText: 'Someone else has saved' });
    await conflict.getByText('Theirs: team:ops').waitFor();
    await conflict.getByText(/^Yours: .*team:sales.*region:eu/).waitFor();
    await checkLooks(t, page);
    complaints.splice(0);
    await conflict.getByRole('button', { name: 'Keep mine and overwrite theirs' }).click();
    await conflict.waitFor({ state: 'hidden' });
    // The alert goes with the click, before the answer.
    await until('mine is saved', 10_000, async () => 'region' in (await labelsNow()));
    t.match(await labelsNow(), { team: 'sales', region: 'eu' });
    await theirs();
    await add('region:us');
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await labels.getByRole('button', { name: 'Remove: team:ops' }).waitFor();
    t.same(await labelsNow(), { team: 'ops' });
    complaints.splice(0);
    t.same(complaints, []);
  });

  t.test('a channel is limited to labels', async (t) => {
    const { page, complaints } = await open(t, `${url}/admin/notifications`, profile);
    await page.getByText('Messages have no link to the page: set SVC_PUBLIC_URL').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'New channel' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Sales');
    await dialog.getByLabel('By').selectOption('slack');
    await dialog.getByLabel('Address of the webhook').fill('https://hooks.slack.example/x');
    await dialog.getByLabel('Only of jobs with one of these labels').fill('team:sales');
    await dialog.getByLabel('Only of jobs with one of these labels').press('Enter');
    await dialog.getByRole('button', { name: 'Remove: team:sales' }).waitFor();
    await checkLooks(t, page);
    await dialog.getByRole('button', { name: /^(Save|Create|Add)/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('team:sales').first().waitFor();
    const { result } = await api.get<{ result: { labels: string[] }[] }>('/api/notifications/channels');
    t.match(result, [{ labels: ['team:sales'] }]);
    t.same(complaints, []);
  });
});
