// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/runs.test.ts, test/paths/dead-letter-replay.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { fewOrAll } from '../../../support/fault-list.ts';
import { serve, until } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

const TASK = `version: 1
name: orders
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: { typed: false } }
  - id: shape
    kind: transform
    input: read
    ops: [{ cast: { id: integer, amount: number, ordered_on: date } }]
    on_error: { action: dead_letter, max_errors: 1 }
  - { id: write, kind: load, input: shape, connector: target, object: orders, mode: merge, key: [id] }
`;

const TEMPLATE = `version: 1
name: orders
connectors: { source: { type: csv, required: true }, target: { type: sqlite, required: true } }
tasks: { load: { task: orders } }
`;

const GOOD = 'id,customer,ordered_on,amount\n1,Nord GmbH,2026-02-01,10.50\n';
const BAD = `${GOOD}2,Ost,2026-02-31,7\n3,Ost,2026-02-03,n/a\n`;
/** The bound for a person; a program has no excuse. */
const walkMsMax = 120_000;

await appTests(async (open) => {
  const served = await serve(t);
  const { api, folder, url } = served;
  mkdirSync(folder, { recursive: true });
  const make = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
  await make('/api/tasks', { yaml_content: TASK });
  const template = await make('/api/job-templates', { name: 'Orders', yaml_content: TEMPLATE });
  // The long list has as many customers as make one hard to find.
  const customers = ['Nord', 'Ost', ...Array.from({ length: fewOrAll(1, 30) }, (_, at) => `Customer ${at}`)];
  for (const name of customers) {
    writeFileSync(join(folder, `${name}.csv`), name === 'Ost' ? BAD : GOOD);
    const source = await make('/api/connectors', { name, type: 'csv', config: { path: `${name}.csv` } });
    const config = { path: `${name}.db`, create: true };
    const target = await make('/api/connectors', { name: `${name} DB`, type: 'sqlite', config });
    const job = await make(`/api/job-templates/${template}/jobs`, {
      name: `${name}: orders`,
      connector_mapping: { source, target },
    });
    const run = await make(`/api/jobs/${job}/runs`, {});
    await until('the job run ends', 60_000, async () => {
      const { ended_at } = await api.get<{ ended_at: string | null }>(`/api/job-runs/${run}`);
      return ended_at !== null;
    });
  }

  const stored = () => {
    const database = new DatabaseSync(join(folder, 'Ost.db'));
    try {
      return database.prepare('select id, ordered_on, amount from orders order by id').all();
    } finally {
      database.close();
    }
  };

  t.test('an operator finds why one customer’s job failed, corrects two rows and replays them', async (t) => {
    const { page, complaints } = await open(t, url, await servedProfile(served));
    const began = performance.now();
    const failing = page.getByRole('region', { name: 'Failed' });
    await failing.getByRole('link', { name: /Ost: orders/ }).click();
    await page.getByText('2 items failed; at most 1 may').first().waitFor();
    await page.getByRole('link', { name: 'Go to the 2 refused rows' }).click();
    await page.getByRole('link', { name: 'Correct and replay' }).click();
    const rows = page.getByRole('region', { name: 'Rows', exact: true });
    await rows.getByTitle('Correct ordered_on').filter({ hasText: '2026-02-31' }).click();
    await page.locator('input:focus, textarea:focus').fill('2026-02-28');
    await rows.getByTitle('Correct amount').filter({ hasText: 'n/a' }).click();
    await page.locator('input:focus, textarea:focus').fill('thirty');
    await rows.getByText('2 rows chosen, 2 corrected').waitFor();
    await rows.getByRole('button', { name: 'Replay 2 rows' }).click();
    const replay = page.getByRole('dialog').getByRole('button', { name: 'Replay' });
    await replay.click();
    const replays = page.getByRole('region', { name: 'Replays' });
    await replays.getByText('1 row replayed, 1 refused again').waitFor();
    await page.getByText('The run itself failed: its other rows are not written').waitFor();
    await replays.getByRole('link', { name: 'Correct that row' }).click();
    await rows.getByTitle('Correct amount').filter({ hasText: 'thirty' }).click();
    await page.locator('input:focus, textarea:focus').fill('30');
    await rows.getByRole('button', { name: 'Replay 1 row' }).click();
    await replay.click();
    await replays.getByText('1 row replayed', { exact: true }).waitFor();
    const took = performance.now() - began;
    t.ok(took < walkMsMax, `in ${Math.round(took)} ms`);
    await checkLooks(t, page);
    await page.getByRole('link', { name: 'Home' }).click();
    await page
      .getByRole('region', { name: 'Newest dead letters' })
      .getByText('No open dead letters')
      .waitFor();
    t.same(stored(), [
      { id: 2, ordered_on: '2026-02-28', amount: 7 },
      { id: 3, ordered_on: '2026-02-03', amount: 30 },
    ]);
    t.same(complaints, []);
  });
});
