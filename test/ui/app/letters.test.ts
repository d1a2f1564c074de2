// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/row-edit.test.ts, test/modules/dead-letters/dead-letter-routes.test.ts, test/paths/dead-letter-replay.test.ts.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { HOSTILE, serveOrders } from '../../support/orders-scene.ts';
import { until } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

interface Letters {
  readonly result: readonly { readonly status: string }[];
}

interface JobRun {
  readonly ended_at: string | null;
  readonly runs: readonly { readonly id: number }[];
}

await appTests(async (open) => {
  const { served, jobId } = await serveOrders(t);
  const { url, api, folder } = served;
  const profile = await servedProfile(served);
  const stored = () => {
    const warehouse = new DatabaseSync(join(folder, 'warehouse.db'));
    try {
      return warehouse.prepare('select id, customer, amount from orders order by id').all();
    } finally {
      warehouse.close();
    }
  };

  t.test('an operator corrects two rows, replays them and watches it until it ends', async (t) => {
    const { page, complaints } = await open(t, url, profile);
    await page
      .getByRole('region', { name: 'Newest dead letters' })
      .getByRole('link', { name: 'All' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Dead letters' }).waitFor();
    const rows = page.getByRole('region', { name: 'Rows', exact: true });
    await rows.getByText(HOSTILE).waitFor();
    t.ok(await rows.getByText(/orders.csv, line 3/).count(), 'the position in the source');
    await checkLooks(t, page);

    const casts = page.getByRole('listitem').filter({ hasText: 'CAST_ERROR' });
    await casts.getByRole('link').first().click();
    await rows.getByTitle('Correct amount').filter({ hasText: 'n/a' }).waitFor();
    t.match(page.url(), `code=CAST_ERROR&job=${jobId}`, 'the reason is part of the address');
    t.equal(await rows.getByText('too short').count(), 0);

    await page
      .getByRole('row', { name: /2026-02-31/ })
      .getByRole('button', { name: /^Correct: / })
      .click();
    t.equal(
      await page.evaluate('document.activeElement.value'),
      '2026-02-31',
      'the field at fault has the focus',
    );
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2026-02-28');
    await rows.locator('del', { hasText: '2026-02-31' }).waitFor();
    await page.reload();
    await rows.locator('del', { hasText: '2026-02-31' }).waitFor();
    await rows.getByTitle('Correct amount').filter({ hasText: 'n/a' }).click();
    await page
      .getByRole('textbox', { name: /^amount, / })
      .and(page.locator(':focus'))
      .fill('30');
    await rows.getByText('2 rows chosen, 2 corrected').waitFor();
    await checkLooks(t, page);
    await rows.getByRole('button', { name: 'Replay 2 rows' }).click();
    await page.getByRole('dialog').getByText('For scripts').click();
    t.match(
      await page.getByRole('region', { name: 'With curl' }).textContent(),
      /-d '{"items":\[.*\],"use":"snapshot"}' http/,
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    const replays = page.getByRole('region', { name: 'Replays' });
    await replays.getByText('2 rows replayed').waitFor();
    t.match(page.url(), /watch=/);
    await rows.getByTitle('Correct ordered_on').filter({ hasText: '31.02.2026' }).waitFor();
    t.equal(await rows.getByText('n/a').count(), 0, 'what was replayed is no longer open');
    t.match(stored(), [{ id: 1 }, { id: 2, customer: HOSTILE, amount: 7 }, { id: 3, amount: 30 }, { id: 6 }]);
    await page.getByLabel('Status').selectOption('Replayed');
    await rows.locator('del', { hasText: '2026-02-31' }).waitFor();
    t.same(complaints, []);
  });

  t.test('a record that could not be read gets its row as JSON, and what is left is discarded', async (t) => {
    const { page, complaints } = await open(
      t,
      `${url}/dead-letters?job=${jobId}&code=MALFORMED_RECORD`,
      profile,
    );
    await page.getByText('5,too short').waitFor();
    await page.getByRole('button', { name: /^Correct: / }).click();
    const json = page.getByRole('textbox', { name: /as JSON/ });
    await json.fill('{"id": 5, ');
    await page.getByText('One correction is not complete.').waitFor();
    t.ok(await page.getByRole('button', { name: 'Replay 1 row' }).isDisabled());
    await checkLooks(t, page);
    await json.fill('{"id": "5", "customer": "Ost", "ordered_on": "2026-02-05", "amount": "x"}');
    await page.getByRole('button', { name: 'Replay 1 row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('0 rows replayed, 1 refused again').waitFor();

    await page.goto(`${url}/dead-letters?job=${jobId}`);
    await page.getByRole('button', { name: /^Discard all: CAST_ERROR/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No rows match these filters').waitFor();
    const { result } = await api.get<Letters>('/api/dead-letters');
    const statuses = result.map(({ status }) => status).sort();
    t.same(statuses, ['discarded', 'discarded', 'replayed', 'replayed', 'replayed']);
    t.same(complaints, []);
  });

  t.test('a run shows what it has read, and the columns whose types it has changed', async (t) => {
    appendFileSync(join(folder, 'orders.csv'), '7,Ost,2026-02-07T12:30:00Z,1\n');
    const { yaml_content } = await api.get<{ yaml_content: string }>('/api/tasks/1');
    const evolving = yaml_content
      .replace('ordered_on: date', 'ordered_on: timestamp')
      .replace('key: [id]', 'key: [id], schema: { types: evolve }');
    await api.put(`/api/jobs/${jobId}/tasks/load/override`, { yaml_content: evolving });
    const { id } = await api.post<{ id: number }>(`/api/jobs/${jobId}/runs`, {});
    const { runs } = await until('the job run ends', 60_000, async () => {
      const run = await api.get<JobRun>(`/api/job-runs/${id}`);
      return run.ended_at !== null && run;
    });
    const { page, complaints } = await open(t, `${url}/runs/${runs[0]?.id}`, profile);
    await page.getByText('Read from 6 to 7').waitFor();
    const changes = page.getByRole('region', { name: 'Changed columns' }).first();
    await changes.getByRole('row', { name: 'ordered_on orders DATE TIMESTAMP write' }).waitFor();
    t.same(complaints, []);
  });
});
