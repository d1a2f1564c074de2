// Long list: it walks through screens of the page in a browser; quick: test/ui/app/frame.test.ts, test/ui/app/every-screen.test.ts.
import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { PASSWORD } from '../../support/visitor.ts';
import { appTests, checkLooks, phone } from '../support/app-tests.ts';
import { signedInProfile, viewerOf } from '../support/signed-in.ts';

t.setTimeout(300_000);

const email = 'zephyr@example.com';

await appTests(async (open) => {
  const app = await startFullApp(t);
  const { visitor: root } = await app.superadmin();
  const url = app.plane.httpAddress;
  let viewer: ReturnType<typeof viewerOf> | null = null;
  const signedInViewer = () => (viewer ??= viewerOf(app, root));
  const make = async (path: string, body: object) => {
    const made = await root.post<{ id: number }>(path, body);
    t.equal(made.status, 201, made.text);
    return made.body.id;
  };
  const connector_id = await make('/api/connectors', { name: 'Zephyr store', type: 'dummy', config: {} });
  const events = ['run.failing'];
  const hook = { url: 'https://example.com/', events };
  const webhook = await make('/api/webhooks', { ...hook, name: 'Zephyr hook' });
  const channel = await make('/api/notifications/channels', {
    ...hook,
    name: 'Zephyr alerts',
    kind: 'slack',
  });
  await make('/api/metrics/config', { backend: 'noop', name: 'Zephyr figures', config: {}, enabled: false });
  await make('/api/ai/references', { name: 'Zephyr notes', content: 'Tables are plural.' });
  await make('/api/users', { email, name: 'Zephyr', role: 'viewer', password: PASSWORD });
  const view = { connector_id, resource: 'people', columns: ['a'], sort: ['-a'], visibility: 'team' };
  await make('/api/explorer-presets', { ...view, name: 'Zephyr rows' });
  const viewAt = `/connectors/${connector_id}?view=browse&resource=people&columns=%5B%22a%22%5D&sort=-a`;

  t.test('whatever has a name is reached by it', async (t) => {
    const { page, complaints } = await open(t, url, signedInProfile(url, root));
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    for (const [option, at] of [
      ['Zephyr store Connector', `/connectors/${connector_id}`],
      ['Zephyr rows Saved view', viewAt],
      ['Zephyr · zephyr@example.com User', '/admin/users?q=zephyr%40example.com'],
      ['Zephyr alerts Notification channel', `/admin/notifications/${channel}`],
      ['Zephyr hook Webhook', `/admin/webhooks/${webhook}`],
      ['Zephyr figures Metrics backend', '/admin/metrics'],
      ['Zephyr notes AI reference', '/admin/ai-references?q=Zephyr+notes'],
    ] as const) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await dialog.getByRole('combobox').fill('zephyr');
      await dialog.getByRole('option', { name: option, exact: true }).click();
      await page.waitForURL(url + at);
    }
    await page.goto(`${url}/admin/users?q=zephyr%40example.com`);
    await page.getByRole('row', { name: /Zephyr/ }).waitFor();
    t.equal(await page.getByRole('row').count(), 2, 'only they are listed, below the head');
    t.same(
      complaints.filter((one) => !/\b[45]\d\d\b/.test(one)),
      [],
      'but for the rows of a connector that no executor answers for',
    );
  });

  t.test(
    'the palette does what the screen that is shown can do, and finds an API key of one’s own',
    async (t) => {
      const yaml_content = 'name: work\nsteps: [{ id: read, kind: log, message: hello }]\n';
      const task = await make('/api/tasks', { yaml_content });
      await make('/api/api-keys', { name: 'Zephyr key', scopes: ['jobs:read'] });
      const { page, complaints } = await open(
        t,
        `${url}/connectors/${connector_id}`,
        signedInProfile(url, root),
      );
      const dialog = page.getByRole('dialog', { name: 'Go to' });
      const choose = async (typed: string, option: string) => {
        await page.keyboard.press('Control+k');
        await dialog.getByRole('combobox').fill(typed);
        await dialog.getByRole('option', { name: option, exact: true }).click();
      };
      await page.getByRole('button', { name: 'Test the connection' }).waitFor();
      const tested = page.waitForRequest((request) => request.url().endsWith(`/${connector_id}/test`));
      await choose('test', 'Test the connection This page');
      await tested;
      await page.goto(`${url}/tasks/${task}`);
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      await choose('versions', 'Versions This page');
      await page.waitForURL(`${url}/tasks/${task}?view=versions`);
      await choose('zephyr key', 'Zephyr key API key');
      await page.waitForURL(`${url}/account`);
      // The address is there before the screen is.
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
      await page.keyboard.press('Control+k');
      t.equal(
        await dialog.getByRole('option', { name: /This page/ }).count(),
        0,
        'another screen has its own',
      );
      t.same(
        complaints.filter((one) => !/\b[45]\d\d\b/.test(one)),
        [],
      );
    },
  );

  t.test(
    'a job is started, its run cancelled and run again from the palette, each after a question',
    async (t) => {
      await make('/api/tasks', {
        yaml_content: 'name: waits\nsteps: [{ id: say, kind: log, message: hello }]\n',
      });
      const template = await make('/api/job-templates', {
        name: 'Waits',
        yaml_content: 'version: 1\nname: waits\ntasks: { say: { task: waits } }\n',
      });
      const job = await make(`/api/job-templates/${template}/jobs`, {
        name: 'Waiting',
        connector_mapping: {},
      });
      const { page, complaints } = await open(t, `${url}/jobs/${job}`, signedInProfile(url, root));
      const choose = async (option: string, sure: string) => {
        await page.getByRole('button', { name: option, exact: true }).waitFor();
        await page.keyboard.press('Control+k');
        const palette = page.getByRole('dialog', { name: 'Go to' });
        await palette.getByRole('combobox').fill(option);
        await palette.getByRole('option', { name: `${option} This page`, exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: sure, exact: true }).click();
      };
      await choose('Start now', 'Start now');
      await page.waitForURL(`${url}/job-runs/*`);
      const first = page.url();
      await choose('Cancel', 'Cancel the run');
      await page.getByText('Cancelled').first().waitFor();
      await choose('Rerun', 'Start the rerun');
      await page.waitForURL((at) => at.href.startsWith(`${url}/job-runs/`) && at.href !== first);
      await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
      const { body } = await root.get<{ result: { status: string }[] }>(
        `/api/job-runs?job_id=${job}&sort=id`,
      );
      t.match(
        body.result.map(({ status }) => status),
        ['cancelled', /pending|queued|running/],
      );
      t.same(complaints, []);
    },
  );

  t.test('a viewer is offered nothing that administrators look after', async (t) => {
    const profile = signedInProfile(url, await signedInViewer());
    const { page, complaints } = await open(t, url, { ...phone, ...profile });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await dialog.getByRole('combobox').fill('zephyr');
    await dialog.getByRole('option', { name: 'Zephyr store Connector' }).waitFor();
    t.same(await dialog.getByRole('option').allInnerTexts(), [
      'Zephyr store\nConnector',
      'Zephyr rows\nSaved view',
    ]);
    await checkLooks(t, page);
    t.same(complaints, []);
  });

  t.test('addresses of those who may more offer a viewer nothing that is refused', async (t) => {
    const task = 'version: 1\nname: rest\nsteps: [{ id: rest, kind: sleep, duration: 1s }]\n';
    await make('/api/tasks', { yaml_content: task });
    const yaml_content = 'version: 1\nname: rests\ntasks: { rest: { task: rest } }\n';
    const template = await make('/api/job-templates', { name: 'Rests', yaml_content });
    await make(`/api/job-templates/${template}/dashboard-templates`, {
      name: 'Overview',
      yaml_content:
        'title: Overview\nwidgets: [{ id: rest, type: task_progress, title: Newest rest, task_key: rest }]\n',
    });
    await make(`/api/job-templates/${template}/jobs`, { name: 'Rests', connector_mapping: {} });
    const profile = signedInProfile(url, await signedInViewer());
    const { page } = await open(t, `${url}/dashboards/1?view=edit`, profile);
    await page.getByRole('article', { name: 'Newest rest' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    await page.goto(`${url}/admin/users`);
    await page.getByText('Your role does not allow this').waitFor();
    t.equal(await page.getByRole('button', { name: 'New user' }).count(), 0);
  });
});
