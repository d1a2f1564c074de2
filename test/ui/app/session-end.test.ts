// Long list: it walks through the forms of the page in a browser; quick: test/ui/app/frame.test.ts, test/ui/app/every-screen.test.ts.
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { codeOf, PASSWORD } from '../../support/visitor.ts';
import { appTests } from '../support/app-tests.ts';
import { signedInProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const clickMsMax = 2_000;
const settleMs = 1_000;

const TASK = `version: 1
name: orders
connectors: { source: { type: csv } }
args: { since: { type: string } }
steps: [{ id: read, kind: extract, connector: source, method: read }]
`;

const TEMPLATE = `version: 1
name: orders
connectors: { source: { type: csv } }
job_config:
  options: { type: form, title: Options, fields: [{ key: limit, label: Limit, type: text }] }
tasks: { load: { task: orders } }
`;

const DASHBOARD = `title: Orders
pages:
  - id: all
    title: All
    widgets: [{ id: runs, type: task_progress, title: Runs, task_key: load }]
`;

interface Form {
  readonly at: string;
  /** What opens it; nothing where it stands on the screen. */
  readonly open?: string;
  /** What is typed, by the label of its field; `YAML`: into the editor. */
  readonly typed: Readonly<Record<string, string>>;
  readonly send: string;
  /** Requests of the screen that get no answer. */
  readonly unanswered?: string;
}

/** Of an element that is made anew nothing is left of it. */
const mark = (element: unknown) => {
  (element as { dataset: Record<string, string> }).dataset['same'] = '';
};

/** What stands in every field of the page, below the dialog that asks for a new sign-in. */
const fields = (page: Page) =>
  page.evaluate<readonly string[]>(`{
    const found = [];
    const visit = (root) => {
      for (const one of root.querySelectorAll('*')) {
        if (one.closest('[aria-labelledby="session-ended"], nav, aside')) continue;
        if (one.matches('input, textarea, select'))
          found.push((one.labels?.[0]?.textContent ?? one.name) + ': ' + (one.type === 'checkbox' ? one.checked : one.value));
        if (one.matches('.cm-content')) found.push('YAML: ' + one.textContent);
        if (one.shadowRoot) visit(one.shadowRoot);
      }
    };
    visit(document);
    found;
  }`);

/** The same once it stays: what depends on a text follows it a moment after it is typed. */
async function settledFields(page: Page): Promise<readonly string[]> {
  for (let before = await fields(page); ; ) {
    await page.waitForTimeout(settleMs);
    const found = await fields(page);
    if (isDeepStrictEqual(found, before)) return found;
    before = found;
  }
}

await appTests(async (open) => {
  const app = await startFullApp(t);
  const root = await app.superadmin();
  const url = app.plane.httpAddress;
  const make = async (path: string, body: object) => {
    const { status, body: made, text } = await root.visitor.post<{ id: number }>(path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return made.id;
  };
  const source = await make('/api/connectors', { name: 'Orders', type: 'csv', config: { path: 'a.csv' } });
  const task = await make('/api/tasks', { yaml_content: TASK });
  const template = await make('/api/job-templates', { name: 'Orders', yaml_content: TEMPLATE });
  await make(`/api/job-templates/${template}/dashboard-templates`, {
    name: 'Orders',
    yaml_content: DASHBOARD,
  });
  const job = await make(`/api/job-templates/${template}/jobs`, {
    name: 'Nord',
    connector_mapping: { source },
  });
  const { result } = (await root.visitor.get<{ result: { id: number }[] }>(`/api/jobs/${job}/dashboards`))
    .body;
  const dashboard = result[0]?.id;
  const yaml = TASK.replace('orders', 'typed');

  const signInAgain = async (page: Page) => {
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Email').fill(root.email);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    app.clock.advance(30_000);
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(root.enrolment.secret, app.clock));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  const forms: readonly Form[] = [
    {
      at: '/connectors/new?type=json',
      typed: { Name: 'Typed', Description: 'typed', path: 'b.json' },
      send: 'Save the connector',
    },
    { at: `/connectors/${source}`, typed: { Name: 'Typed', path: 'typed.csv' }, send: 'Save' },
    { at: '/tasks/new', typed: { YAML: yaml }, send: 'Create' },
    { at: '/tasks/new', typed: { YAML: yaml }, send: 'Create', unanswered: '**/api/tasks/preview' },
    { at: `/tasks/${task}?view=edit`, typed: { YAML: `${TASK}# typed\n` }, send: 'Save' },
    { at: '/templates/new', typed: { Name: 'Typed', Description: 'typed' }, send: 'Create' },
    { at: `/templates/${template}/new-dashboard`, typed: { Name: 'Typed' }, send: 'Create' },
    { at: `/jobs/new?template=${template}`, typed: { Name: 'Typed' }, send: 'Create the job' },
    { at: `/jobs/${job}?view=config`, typed: { Limit: 'typed' }, send: 'Save' },
    {
      at: `/jobs/${job}?view=triggers`,
      open: 'New trigger',
      typed: { Name: 'typed', Schedule: '7 3 * * *' },
      send: 'Save',
    },
    { at: `/tasks/${task}`, open: 'Run once', typed: { args: '{"since": "typed"}' }, send: 'Run once' },
    {
      at: '/admin/users',
      open: 'New user',
      typed: { Email: 'typed@example.com', Name: 'Typed' },
      send: 'Create the user',
    },
    {
      at: '/admin/webhooks',
      open: 'New webhook',
      typed: { Name: 'typed', Address: 'https://typed.example.com/' },
      send: 'Create',
    },
    {
      at: '/admin/notifications',
      open: 'New channel',
      typed: {
        Name: 'Typed',
        'Mail server': 'mail.example.com',
        Sender: 'a@example.com',
        Receivers: 'b@example.com',
      },
      send: 'Create',
    },
    { at: '/account', open: 'New API key', typed: { Name: 'typed' }, send: 'Create the key' },
    {
      at: '/account',
      typed: { 'Current password': 'not it', 'New password': 'a passphrase to come' },
      send: 'Change the password',
    },
    {
      at: `/dashboards/${dashboard}?view=share`,
      typed: {
        'Expires at': '2099-01-02T03:04',
        Password: 'typed typed',
        'Sites that may': 'https://a.example.com',
      },
      send: 'Create the link',
    },
    {
      at: `/dashboards/${dashboard}?view=edit`,
      typed: { Name: 'Typed', YAML: DASHBOARD.replace('title: Orders', 'title: Typed') },
      send: 'Save',
    },
    { at: '/admin/settings', typed: { 'ai.model': 'typed', 'ai.api_key': 'typed-secret' }, send: 'Save' },
    {
      at: '/admin/about',
      typed: { 'Product name': 'Typed', 'Support address': 'https://help.example.com/' },
      send: 'Save',
    },
    {
      at: '/admin/ai-references',
      open: 'New reference',
      typed: { Name: 'Typed', Text: 'Tables are plural.', Tags: 'one\ntwo' },
      send: 'Create',
    },
  ];

  for (const { at, open: opened, typed, send, unanswered } of forms)
    t.test(`a session that ends while somebody types: ${at} ${unanswered ?? ''}`, async (t) => {
      const first = unanswered === undefined ? at : '/account';
      const { page, context } = await open(t, url + first, signedInProfile(url, root.visitor));
      if (unanswered !== undefined) {
        await context.route(unanswered, (route) => route.abort());
        await page.goto(url + at);
      }
      if (opened !== undefined) await page.getByRole('button', { name: opened }).first().click();
      // A connector that is the only one of its type is chosen once it is known.
      await page.waitForLoadState('networkidle');
      const inside = page.getByRole(opened !== undefined && !at.includes('triggers') ? 'dialog' : 'main');
      for (const [label, text] of Object.entries(typed)) {
        if (label === 'YAML') {
          await inside.getByRole('textbox', { name: /^YAML/ }).click();
          await page.keyboard.press('ControlOrMeta+a');
          await page.keyboard.insertText(text);
        } else
          await inside
            .getByLabel(label, { exact: ['Name'].includes(label) })
            .first()
            .fill(text);
      }
      const hasEditor = typed['YAML'] !== undefined;
      if (hasEditor) await page.getByText('No problems').waitFor();
      await page.waitForLoadState('networkidle');
      const before = await settledFields(page);
      t.ok(
        Object.values(typed).every((text) => before.some((one) => one.includes(text.split('\n')[0] ?? ''))),
        'it is typed',
      );
      if (hasEditor) await page.locator('.cm-content').evaluate(mark);
      await context.clearCookies();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      const button = inside.getByRole('button', { name: send, exact: true });
      // What the screen asks for by itself may have told it first: then the dialog is over the button.
      await button.click({ timeout: clickMsMax }).catch(() => undefined);
      await dialog.waitFor();
      await signInAgain(page);
      await page.waitForLoadState('networkidle');
      t.same(await settledFields(page), before, 'nothing of it is lost');
      if (hasEditor)
        t.equal(
          await page.locator('.cm-content[data-same]').count(),
          1,
          'nor what can be undone: it is the same editor',
        );
      // It goes on from there: what is refused now is refused for what it says.
      const answered = page.waitForResponse((answer) => !['GET', 'HEAD'].includes(answer.request().method()));
      await button.click();
      t.not((await answered).status(), 401);
    });

  t.test('a session that ends between the plan of an import and its application', async (t) => {
    const { page, context } = await open(t, `${url}/admin/bundles`, signedInProfile(url, root.visitor));
    const section = page.getByRole('region', { name: 'Import' });
    const bundle = `headgate_bundle: 1\ntasks:\n  - name: imported\n    yaml: |\n${TASK.replace('orders', 'imported').replace(/^/gm, '      ')}\n`;
    await section.getByLabel('Bundle, as YAML or zip').setInputFiles({
      name: 'bundle.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(bundle),
    });
    const apply = section.getByRole('button', { name: 'Apply this plan' });
    await apply.waitFor();
    await context.clearCookies();
    await apply.click();
    await signInAgain(page);
    await section.getByRole('cell', { name: 'imported' }).waitFor();
    await apply.click();
    await section.getByText('1 created, 0 updated').waitFor();
  });
});
