// Long list: it walks through a screen of the page in a browser; quick: test/modules/jobs/task-override.test.ts, test/ui/app/every-screen.test.ts.
import t from 'tap';
import { serveOrders } from '../../../support/orders-scene.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const { served, jobId } = await serveOrders(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const path = `/api/jobs/${jobId}/tasks/load/override`;

  t.test(
    'a task is changed for one job, its difference shown, and the pinned version taken back',
    async (t) => {
      const { page, complaints } = await open(t, `${url}/jobs/${jobId}`, profile);
      const tasks = page.getByRole('region', { name: 'Tasks', exact: true });
      await tasks.getByRole('button', { name: 'Change for this job: load' }).click();
      const text = tasks.getByRole('textbox', { name: 'YAML of load in this job' });
      await text.click();
      await tasks.getByText('Nothing: this is the pinned version.').waitFor();
      t.equal(
        await tasks.getByRole('button', { name: 'Save' }).isDisabled(),
        true,
        'there is nothing to save',
      );
      await page.keyboard.press('Control+End');
      await page.keyboard.type('# of this customer');
      const changes = tasks.getByRole('region', { name: 'What differs from the pinned version' });
      await changes.getByText('+# of this customer').waitFor();
      await checkLooks(t, page);

      // What is typed stays when the page is closed.
      await page.reload();
      await tasks.getByRole('button', { name: 'Change for this job: load' }).click();
      await changes.getByText('+# of this customer').waitFor();
      await tasks.getByRole('button', { name: 'Save' }).click();
      await tasks.getByText('This job runs a text of its own').waitFor();
      const { yaml_content, diff } = await api.get<{ yaml_content: string; diff: string }>(path);
      t.match(yaml_content, /# of this customer/);
      t.match(diff, /\+# of this customer/);

      // A second save is on top of the job's version that the first has made.
      await text.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' again');
      await tasks.getByRole('button', { name: 'Save' }).click();
      await tasks.getByText(/^Saved/).waitFor();
      t.match((await api.get<{ yaml_content: string }>(path)).yaml_content, /customer again/);

      await tasks.getByRole('button', { name: 'Back to the pinned version' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Back to the pinned version' }).click();
      await tasks.getByText('This job runs a text of its own').waitFor({ state: 'detached' });
      await tasks.getByText('Nothing: this is the pinned version.').waitFor();
      const job = await api.get<{ overridden_task_keys: string[] }>(`/api/jobs/${jobId}`);
      t.same(job.overridden_task_keys, []);
      t.same(complaints, []);
    },
  );
});
