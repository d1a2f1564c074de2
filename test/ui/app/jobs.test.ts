// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/jobs/job-routes.test.ts, test/modules/jobs/upgrade/job-upgrade.test.ts, test/modules/triggers/trigger-routes.test.ts.
import t from 'tap';
import { HOSTILE, serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const { served, jobId, templateId, sourceId, targetId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);

  t.test('a job is created from a template, configured, scheduled and started', async (t) => {
    const { page, complaints } = await open(t, `${url}/jobs`, profile);
    await page.getByRole('row', { name: /Nord: orders.*With warnings.*100/ }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'New job' }).click();
    // The list has a field of this name too.
    await page.getByRole('heading', { level: 1, name: 'New job' }).waitFor();
    await page.getByLabel('Template').selectOption('Orders');
    const name = `${HOSTILE} مرحبا 🚚 ${'long '.repeat(30)}`.trim();
    await page.getByLabel('Name', { exact: true }).fill(name);
    const source = page.getByLabel(/^source/);
    await source.selectOption('Orders of Nord');
    t.same(
      await source.locator('option').allTextContents(),
      ['Orders of Nord'],
      'only those of its type, and the only one is chosen',
    );
    await page.getByLabel(/^target/).selectOption('Warehouse');
    await page.getByRole('button', { name: 'Test: target' }).click();
    await page.getByText('It works.').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Create the job' }).click();

    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText('Job created.').waitFor();
    await page.getByLabel('Limit').fill('10');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('region', { name: 'Version 2' })
      .getByText(/\+.*10/)
      .waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Restore: 1' }).click();
    await page.getByText('Version 3').first().waitFor();
    t.equal(await page.getByLabel('Limit').inputValue(), '');

    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'New trigger' }).click();
    await page.getByLabel('Schedule', { exact: true }).fill('30 2 * * 0');
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByText('At 02:30, only on Sunday').waitFor();
    await page.locator('.next-times li').nth(4).waitFor();
    await page.getByLabel('Schedule', { exact: true }).fill('90 2 * * *');
    await page.locator('.next-times .form-problem').waitFor();
    complaints.splice(0);
    await page.getByLabel('How often').selectOption('Every night');
    await page.locator('.next-times li').nth(4).waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'At 02:00' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('The job is ready.').waitFor();
    await page.getByText('Never ran').waitFor();
    await page.getByRole('region', { name: 'Schedule' }).getByText('At 02:00').waitFor();
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.waitForURL(/\/job-runs\/\d+/);
    t.same(complaints, []);
  });

  t.test('a job resets a cursor, is upgraded by the plan that was shown, and archived', async (t) => {
    await until('the other runs end', 60_000, async () => {
      const { result } = await api.get<{ result: { ended_at: string | null }[] }>('/api/job-runs');
      return result.every(({ ended_at }) => ended_at !== null);
    });
    const { page, complaints } = await open(t, `${url}/jobs/${jobId}?view=state`, profile);
    await page.getByRole('row', { name: /load read/ }).waitFor();
    await page.getByRole('button', { name: 'Reset: load read' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('No cursors yet').waitFor();

    await page.getByRole('link', { name: 'Upgrade', exact: true }).click();
    await page.getByText(/Up to date with its template/).waitFor();
    const { result } = await api.get<{ result: { id: number }[] }>('/api/tasks');
    const task = `/api/tasks/${result[0]?.id}`;
    const { yaml_content } = await api.get<{ yaml_content: string }>(task);
    await api.put(task, {
      yaml_content: yaml_content.replace('name: orders', 'name: orders\ndescription: Newer'),
    });
    await page.reload();
    await page.getByText('+description: Newer').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'Upgrade the job' }).click();
    await page.getByText(/Job upgraded|Up to date with its template/).waitFor();

    await page.getByRole('link', { name: 'Runs', exact: true }).last().click();
    await page
      .getByRole('row', { name: /With warnings/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Activate' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Start now' }).count(), 0);
    await page.goto(`${url}/jobs?archived=true`);
    await page.getByRole('link', { name: /Nord: orders/ }).waitFor();
    t.same(complaints, []);
  });

  t.test(
    'many jobs of a template are upgraded as planned, and one that changed meanwhile is left',
    async (t) => {
      const connector_mapping = { source: sourceId, target: targetId };
      const ids: number[] = [];
      for (const name of ['Many: a', 'Many: b', 'Many: c']) {
        const made = await api.post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, {
          name,
          connector_mapping,
        });
        ids.push(made.id);
      }
      const { result } = await api.get<{ result: { id: number }[] }>('/api/tasks');
      const task = `/api/tasks/${result[0]?.id}`;
      const { yaml_content } = await api.get<{ yaml_content: string }>(task);
      await api.put(task, {
        yaml_content: yaml_content.replace('steps:', 'labels: { many: "1" }\nsteps:'),
      });
      const driftOf = async (id: number | undefined) =>
        (await api.get<{ drifted: boolean }>(`/api/jobs/${id}/drift`)).drifted;
      const { page, complaints } = await open(t, `${url}/templates/${templateId}?view=jobs`, profile);
      const many = page.getByRole('region', { name: 'Upgrade jobs' });
      const item = (name: string) => many.getByRole('listitem').filter({ hasText: name });
      await many.getByRole('button', { name: 'Plan the upgrades' }).click();
      await item('Many: a').getByText('Not upgraded yet').waitFor();
      await many.getByRole('status').getByText('can be upgraded').waitFor();
      await item('Many: a').getByText('Changes', { exact: true }).click();
      await item('Many: a').getByText('+labels').waitFor();
      await item('Many: b').getByRole('checkbox').uncheck();
      await checkLooks(t, page);

      // Somebody else upgrades it between the plan and its confirmation.
      await api.post(`/api/jobs/${ids[2]}/upgrade`, {});
      await many.getByRole('button', { name: /^Upgrade \d+ jobs?$/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Upgrade/ })
        .click();
      await item('Many: c')
        .getByText(/no longer that of "plan_hash"/)
        .waitFor();
      await item('Many: a').getByText('Upgraded', { exact: false }).first().waitFor();
      await many.getByRole('status').getByText('1 failed').waitFor();
      t.same(await Promise.all([driftOf(ids[0]), driftOf(ids[1])]), [false, true], 'only what was chosen');
      complaints.splice(0);
      await many.getByRole('button', { name: 'Plan the failed job again' }).click();
      await item('Many: c').waitFor({ state: 'detached' });

      await many.getByRole('checkbox', { name: 'Tasks' }).uncheck();
      await many.getByText(/You chose other parts/).waitFor();
      t.ok(await many.getByRole('button', { name: /^Upgrade 0/ }).isDisabled());
      const template = `/api/job-templates/${templateId}`;
      const { yaml_content: graph } = await api.get<{ yaml_content: string }>(template);
      await api.put(template, {
        name: 'Orders',
        yaml_content: graph.replace(
          'target: { type: sqlite, required: true } }',
          'target: { type: sqlite, required: true }, third: { type: sqlite, required: true } }',
        ),
      });
      await many.getByRole('button', { name: 'Plan again' }).click();
      await item('Many: b').getByText('Cannot be upgraded').waitFor();
      await item('Many: b').getByText(/third/).first().waitFor();
      await checkLooks(t, page);
      t.same(complaints, []);
    },
  );
});
