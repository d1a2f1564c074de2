// Long list: it walks through a screen of the page in a browser; quick: test/modules/ai/generate-task.test.ts, test/modules/ai/generate-templates.test.ts, test/modules/ai/ai-serve.test.ts.
import t from 'tap';
import { fenced } from '../../../modules/ai/ai-app.ts';
import { startModelServer } from '../../../modules/ai/model-server.ts';
import { serve } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

const KEY = 'sk-live-5f2e8a1c9d7b';
const MADE = `version: 1
name: my_task
connectors:
  source: { type: csv }
  target: { type: sqlite }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: paid, kind: transform, input: read, ops: [{ filter: "item.note = '<b>x</b>'" }] }
  - { id: write, kind: load, input: paid, connector: target, object: rows, mode: append }
`;

await appTests(async (open) => {
  const model = await startModelServer(t);
  const served = await serve(t, { SVC_AI_PROVIDER: 'anthropic', SVC_AI_BASE_URL: model.origin });
  const profile = await servedProfile(served);
  const { url, api } = served;

  t.test('a server without a model says so', async (t) => {
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    await page.getByText('Write with a model').click();
    await page.getByText('No model is configured').waitFor();
    await checkLooks(t, page);
    t.same(complaints, []);
  });

  t.test('what a model writes is a diff first, and then a text that is not saved', async (t) => {
    await api.put('/api/server/config', { settings: { 'ai.api_key': KEY, 'ai.model': 'm-1' } });
    const { page, complaints } = await open(t, `${url}/tasks/new`, profile);
    const text = page.getByRole('textbox', { name: 'YAML: New task' });
    await page.getByText('Write with a model').click();
    const prompt = page.getByLabel('What should the task do?');
    const start = page.getByRole('button', { name: 'Generate' });
    await prompt.fill('  ');
    t.ok(await start.isDisabled(), 'nothing is asked for');

    model.reply({ kind: 'hang', after: 'head' });
    await prompt.fill('Only what is paid');
    await start.click();
    await page.getByText('The model is writing (attempt 1)').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    t.equal(await model.requests()[0]?.leftEarly, true, 'the provider is told');
    t.equal(await prompt.inputValue(), 'Only what is paid');

    model.reply({ kind: 'refusal', text: 'I will not' });
    await start.click();
    await page
      .getByRole('alert')
      .getByText(/refuse/)
      .waitFor();
    await checkLooks(t, page);

    model.reply({ kind: 'text', text: fenced(MADE) });
    await start.click();
    const diff = page.getByRole('region', { name: 'What the model would change' }).first();
    await diff
      .getByText(
        '+  - { id: paid, kind: transform, input: read, ops: [{ filter: "item.note = \'<b>x</b>\'" }] }',
      )
      .waitFor();
    await diff.getByText('-  - { id: write, kind: load, input: read').waitFor();
    t.equal(await text.getByText('id: paid').count(), 0, 'it is not taken yet');
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Use it in the editor' }).click();
    await text.getByText('id: paid').waitFor();
    await page.getByText('Not saved yet').waitFor();
    await page.keyboard.press('Control+z');
    await text.getByText('id: paid').waitFor({ state: 'detached' });
    t.same((await api.get<{ result: unknown[] }>('/api/tasks')).result, []);
    t.same(complaints, []);
  });

  t.test('job templates and dashboard templates are written in the same way', async (t) => {
    await api.put('/api/server/config', { settings: { 'ai.api_key': KEY, 'ai.model': 'm-1' } });
    await api.post('/api/tasks', { yaml_content: MADE });
    const write = async (
      at: string,
      label: string,
      question: string,
      before: string,
      made: string,
      mark: string,
    ) => {
      const { page, complaints } = await open(t, url + at, profile);
      const text = page.getByRole('textbox', { name: label });
      await text.getByText(before).first().waitFor();
      await page.getByText('Write with a model').click();
      await page.getByLabel(question).fill('As it should be');
      model.requests();
      model.reply({ kind: 'text', text: fenced(made) });
      await page.getByRole('button', { name: 'Generate' }).click();
      const diff = page.getByRole('region', { name: 'What the model would change' }).first();
      await diff.getByText(new RegExp(`^\\+.*${mark}`)).waitFor();
      t.equal(await text.getByText(mark).count(), 0, 'it is not taken yet');
      await checkLooks(t, page);
      await page.getByRole('button', { name: 'Use it in the editor' }).click();
      await text.getByText(mark).waitFor();
      t.same(complaints, []);
      return page;
    };
    const template =
      'version: 1\nname: daily\nconnectors: { source: { type: csv }, target: { type: sqlite } }\ntasks:\n  generated: { task: my_task }\n';
    const page = await write(
      '/templates/new',
      'YAML: New job template',
      'What should a job of this template do?',
      'load:',
      template,
      'generated',
    );
    t.match(model.requests()[0]?.text, /Tasks that exist:.*my_task/s);
    await page.getByRole('figure').or(page.getByLabel('Graph')).getByText('generated').first().waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/templates\/\d+/);
    const id = /templates\/(\d+)/.exec(page.url())?.[1];
    const dashboard =
      'title: Daily\npages:\n  - id: all\n    title: All\n    widgets: [{ id: runs, type: task_progress, title: generated, task_key: generated }]\n';
    const question = 'What should the dashboard show?';
    const label = 'YAML: New dashboard template';
    const made = await write(
      `/templates/${id}/new-dashboard`,
      label,
      question,
      'Overview',
      dashboard,
      'Daily',
    );
    t.match(model.requests()[0]?.text, /The job template that it belongs to:.*generated: /s);
    await made.getByRole('button', { name: 'Create' }).click();
    await made.waitForURL(/dashboard-templates\/\d+/);
    // The address changes before the screen does.
    await made.getByLabel(question).waitFor({ state: 'detached' });
    await made.getByText('Write with a model').click();
    await made.getByLabel('What should be changed?').fill('Less');
    model.reply({ kind: 'text', text: fenced(dashboard.replace('title: Daily', 'title: Weekly')) });
    await made.getByRole('button', { name: 'Generate' }).click();
    await made.getByText('+title: Weekly').waitFor();
    t.match(model.requests()[0]?.text, /Change this dashboard template/);
  });
});
